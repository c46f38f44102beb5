import type { FitKernels } from "../fit-kernels.ts";
import type { Kernels } from "../kernels.ts";
import type { Engine } from "./engine.ts";
import { SIMD_BINARY } from "./simd-binary.ts";
import { SimdKernels } from "./simd-kernels.ts";

/** Makes kernels, each with a memory of its own; null where the engine cannot or may not run them. Found out at the first use. */
let make: (() => SimdKernels) | null | undefined;
/** Those that everybody opens. */
let shared: SimdKernels | undefined;
/** Those that were lent and came back. */
const spares: SimdKernels[] = [];
/** Numbers in the memory of a spare at most, 64 MB; a larger memory goes when it is no longer needed. */
const SPARED = 1 << 23;

/** The kernels of WebAssembly with room for so many numbers, or undefined where the engine has none. */
export function simdKernels(room: number): Kernels | undefined {
  if (make === undefined) make = startKernels();
  if (!make) return undefined;
  shared ??= make();
  return shared.open(room);
}

/** Kernels for `use` alone, whose arrays are good until it returns; undefined where the engine has none. */
export function lendSimdKernels<T>(room: number, use: (kernels: FitKernels) => T): { answer: T } | undefined {
  if (make === undefined) make = startKernels();
  if (!make) return undefined;
  const kernels = spares.pop() ?? make();
  try {
    return { answer: use(kernels.open(room)) };
  } finally {
    if (kernels.size <= SPARED) spares.push(kernels);
  }
}

function startKernels(): (() => SimdKernels) | null {
  const { WebAssembly } = globalThis as { WebAssembly?: Engine };
  if (!WebAssembly) return null;
  try {
    const bytes = Uint8Array.from(SIMD_BINARY.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    const module = new WebAssembly.Module(bytes);
    const made = (): SimdKernels => new SimdKernels(WebAssembly, module);
    shared = made();
    return made;
  } catch {
    // No SIMD, or a page whose security policy allows no WebAssembly: the plain loops give the same.
    return null;
  }
}
