import type { Kernels } from "./kernels.ts";
import { plainKernels } from "./plain-kernels.ts";
import { simdKernels } from "./simd-kernels.ts";

/** Numbers that the loops of WebAssembly may have at once, 32 MB: their memory is never given back. */
const MOST = 1 << 22;

/**
 * Kernels with room for so many numbers: those of WebAssembly, which work on two numbers at once and give the same to the last
 * bit, where the engine has them. Their arrays are good until the next call of this function.
 */
export function openKernels(room: number): Kernels {
  return (room <= MOST ? simdKernels(room) : undefined) ?? plainKernels;
}
