import type { FitKernels } from "./fit-kernels.ts";
import { offerKernels } from "./open-kernels.ts";
import { plainFitKernels } from "./plain/plain-fit-kernels.ts";
import { lendSimdKernels, simdKernels } from "./simd/lend-simd-kernels.ts";

/** Numbers that they may have for one piece of work, 256 MB. */
const MOST_LENT = 1 << 25;

/**
 * From now on the kernels of WebAssembly are opened, where the engine has them. Whoever goes through many rows says so first; a page
 * that answers one row after the other need not have them.
 */
export function useFastKernels(): void {
  offerKernels(simdKernels);
}

/** Kernels for a piece of work that takes long and calls others: the arrays are good until `use` returns. */
export function lendKernels<T>(room: number, use: (kernels: FitKernels) => T): T {
  useFastKernels();
  const lent = room <= MOST_LENT ? lendSimdKernels(room, use) : undefined;
  return lent ? lent.answer : use(plainFitKernels);
}
