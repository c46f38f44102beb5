import type { FitKernels, Kernels } from "./kernels.ts";
import { plainFitKernels } from "./plain-fitting.ts";
import { plainKernels } from "./plain-scoring.ts";
import { type Engine, SimdKernels } from "./simd.ts";
import { SIMD_BINARY } from "./simd-binary.ts";

/** Where inner loops run. It is passed down by whoever asks: one row is scored by plain loops, many rows by fast ones. */
export interface Context {
  /** Kernels with room for so many numbers, whose arrays are good until `use` returns. */
  use<T>(room: number, use: (kernels: Kernels) => T): T;
}

/** The same with the inner loops of fits. */
export interface FitContext extends Context {
  use<T>(room: number, use: (kernels: FitKernels) => T): T;
}

/** Plain loops, which a page that asks about one row after the other needs no WebAssembly for. */
export const plainContext: Context = { use: (_, use) => use(plainKernels) };

/** Numbers that the loops of WebAssembly may have for one piece of work, 256 MB. */
const MOST = 1 << 25;
/** Numbers in the memory of kernels that are kept for the next work, 64 MB; a larger memory goes when it is no longer needed. */
const KEPT = 1 << 23;

/**
 * Loops of WebAssembly, which work on two numbers at once and give the same to the last bit, where the engine has them; plain ones
 * elsewhere. Each use has a memory of its own, so that uses may be nested.
 */
export function createFastContext(): FitContext {
  /** Makes kernels, each with a memory of its own; null where the engine cannot or may not run them. Found out at the first use. */
  let make: (() => SimdKernels) | null | undefined;
  const idle: SimdKernels[] = [];
  return {
    use(room, use) {
      if (make === undefined) make = compileKernels();
      if (!make || room > MOST) return use(plainFitKernels);
      const kernels = idle.pop() ?? make();
      try {
        return use(kernels.open(room));
      } finally {
        if (kernels.size <= KEPT) idle.push(kernels);
      }
    },
  };
}

/** The fast context of this thread. */
export const fastContext: FitContext = /* @__PURE__ */ createFastContext();

function compileKernels(): (() => SimdKernels) | null {
  const { WebAssembly } = globalThis as { WebAssembly?: Engine };
  if (!WebAssembly) return null;
  try {
    const bytes = Uint8Array.from(SIMD_BINARY.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    const module = new WebAssembly.Module(bytes);
    new SimdKernels(WebAssembly, module);
    return () => new SimdKernels(WebAssembly, module);
  } catch {
    // No SIMD, or a page whose security policy allows no WebAssembly: the plain loops give the same.
    return null;
  }
}
