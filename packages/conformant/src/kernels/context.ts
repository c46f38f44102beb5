import type { FitKernels, Kernels } from "./kernels.ts";
import { plainFitKernels } from "./plain-fitting.ts";
import { plainKernels } from "./plain-scoring.ts";
import { type Engine, SimdKernels } from "./simd.ts";
import { SIMD_BINARY } from "./simd-binary.ts";

/** Where inner loops run. Callers pass it on: plain loops score a single row, fast ones many rows. */
export interface Context {
  /** Kernels with room for so many numbers, whose arrays are good until `use` returns. */
  use<T>(room: number, use: (kernels: Kernels) => T): T;
}

/** The same with the inner loops of fits. */
export interface FitContext extends Context {
  use<T>(room: number, use: (kernels: FitKernels) => T): T;
}

/** Plain loops, for pages that predict one row at a time and need no WebAssembly. */
export const plainContext: Context = { use: (_, use) => use(plainKernels) };

/** Numbers that the loops of WebAssembly may have for one piece of work, 256 MB. */
const MOST = 1 << 25;
/** Kernels with at most this many numbers of memory, 64 MB, are kept for later use; larger ones are released. */
const KEPT = 1 << 23;

/**
 * Loops of WebAssembly, which work on two numbers at once and give the same to the last bit, where the engine has them; plain ones
 * elsewhere. Each use has a memory of its own, so that uses may be nested.
 */
export function createFastContext(): FitContext {
  /** Makes kernels, each with a memory of its own; null where the engine cannot or may not run them. Set at the first use. */
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
