import { type BigIntStats, statSync } from "node:fs";
import { CliError, quoted } from "../../errors.ts";

/** Records the state of files; the returned function throws if one of them has changed since. */
export function watchFiles(paths: readonly string[], nameOf: (path: string) => string): () => void {
  const before = paths.map(stateOf);
  return () => {
    for (const [f, path] of paths.entries()) {
      const [then, now] = [before[f], stateOf(path)];
      if (then === undefined || !then.isFile()) continue;
      if (now?.size === then.size && now.mtimeNs === then.mtimeNs && now.ino === then.ino) continue;
      const how = now === undefined ? "it is gone" : `it had ${then.size} bytes before and ${now.size} after`;
      throw new CliError("changed-data", `${quoted(nameOf(path))} changed while it was read: ${how}`, {
        hint: "run it again when nothing writes to the file, or read a copy",
      });
    }
  };
}

function stateOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
