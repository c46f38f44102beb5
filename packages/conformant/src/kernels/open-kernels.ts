import type { Kernels } from "./kernels.ts";
import { plainKernels } from "./plain/plain-kernels.ts";

/** Numbers that the loops of WebAssembly may have at once, 32 MB: their memory is never given back. */
const MOST = 1 << 22;

let fast: ((room: number) => Kernels | undefined) | undefined;

/** Offers kernels that work on two numbers at once and give the same to the last bit, or none where the engine has none. */
export function offerKernels(open: (room: number) => Kernels | undefined): void {
  fast = open;
}

/** Kernels with room for so many numbers: the fast ones that were offered, else plain ones. Their arrays are good until the next call. */
export function openKernels(room: number): Kernels {
  return (room <= MOST ? fast?.(room) : undefined) ?? plainKernels;
}
