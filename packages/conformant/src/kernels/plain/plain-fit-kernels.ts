import type { FitKernels } from "../fit-kernels.ts";
import { drainTable, fillTable } from "./entry-changes.ts";
import { combineSolved, solveColumns, spreadAtoms, weighAtoms } from "./newton-columns.ts";
import { plainKernels } from "./plain-kernels.ts";
import { shareRows } from "./share-rows.ts";
import { tiltColumns } from "./tilt-columns.ts";

/** The loops as every engine has them, over arrays of their own. */
export const plainFitKernels: FitKernels = {
  ...plainKernels,
  holdChanges: (changes) => changes,
  fillTable,
  drainTable,
  shareRows,
  tiltColumns,
  weighAtoms,
  spreadAtoms,
  solveColumns,
  combineSolved,
};
