import type { Kernels } from "../kernels.ts";
import { addStates } from "./add-states.ts";
import { addNumbers, classProbabilities } from "./class-kernels.ts";
import { conditionRows } from "./condition-rows.ts";
import { eliminate } from "./eliminate.ts";
import { scatterEntries, scoreEntries } from "./entry-kernels.ts";
import { exponentials } from "./exponentials.ts";
import { scoreTiles } from "./score-tiles.ts";

/** The loops as every engine has them, over arrays of their own. */
export const plainKernels: Kernels = {
  numbers: (count) => new Float64Array(count),
  integers: (count) => new Int32Array(count),
  hold: (values) => values,
  holdEntries: (rows) => rows,
  scoreTiles,
  eliminate,
  conditionRows,
  scoreEntries,
  scatterEntries,
  addStates,
  addNumbers,
  classProbabilities,
  exponentials,
};
