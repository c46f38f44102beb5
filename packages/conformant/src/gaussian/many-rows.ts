import { type FitContext, fastContext } from "../kernels/context.ts";
import { scoreApart } from "./pattern-tree.ts";
import type { ScoringContext } from "./patterns.ts";

export type ManyRowsContext = FitContext & ScoringContext;

/**
 * What pays for many rows only: fast inner loops, and the tree over patterns of missing values. Whoever goes through many rows passes
 * it down.
 */
export const manyRows: ManyRowsContext = {
  use: (room, use) => fastContext.use(room, use), // reading `fastContext.use` here would keep it in every page
  scoreApart,
};
