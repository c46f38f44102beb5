import { offerApart } from "../gaussian/block-scorer.ts";
import { PatternTree } from "../gaussian/pattern-tree.ts";
import { useFastKernels } from "../kernels/fast-kernels.ts";

/**
 * Brings what pays for many rows only: the kernels of WebAssembly, and the tree over patterns of gaps. Whoever goes through many rows says
 * so first. Without it answers are the same, only later, so that a page that asks about one row after the other need not have it.
 */
export function useManyRows(): void {
  useFastKernels();
  offerApart((laidOut, rows, where) => new PatternTree(laidOut, rows, where).score());
}
