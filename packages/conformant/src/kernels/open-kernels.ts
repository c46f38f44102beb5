import type { Kernels } from "./kernels.ts";
import { plainKernels } from "./plain-kernels.ts";
import { lendSimdKernels, simdKernels } from "./simd-kernels.ts";

/** Numbers that the loops of WebAssembly may have at once, 32 MB: their memory is never given back. */
const MOST = 1 << 22;
/** Numbers that they may have for one piece of work, 256 MB. */
const MOST_LENT = 1 << 25;

/**
 * Kernels with room for so many numbers: those of WebAssembly, which work on two numbers at once and give the same to the last
 * bit, where the engine has them. Their arrays are good until the next call of this function.
 */
export function openKernels(room: number): Kernels {
  return (room <= MOST ? simdKernels(room) : undefined) ?? plainKernels;
}

/** The same for a piece of work that takes long and calls others: the arrays are good until `use` returns. */
export function lendKernels<T>(room: number, use: (kernels: Kernels) => T): T {
  const lent = room <= MOST_LENT ? lendSimdKernels(room, use) : undefined;
  return lent ? lent.answer : use(plainKernels);
}
