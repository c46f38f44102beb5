import { ConformantError, type WatchOptions } from "conformant";

/** What work answers that ends within so many milliseconds, undefined where it takes longer. */
export function within<T>(milliseconds: number, work: (watch: WatchOptions) => T): T | undefined {
  const end = performance.now() + milliseconds;
  const signal = { aborted: false };
  try {
    return work({
      signal,
      onProgress: () => {
        signal.aborted = performance.now() > end;
      },
    });
  } catch (thrown) {
    if (signal.aborted && thrown instanceof ConformantError && thrown.code === "aborted") return undefined;
    throw thrown;
  }
}
