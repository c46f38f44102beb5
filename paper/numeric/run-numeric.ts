import { join } from "node:path";
import { dataFolders } from "../datasets/data-folder.ts";
import { writeWhole } from "../protocol/cache.ts";
import { compareTable, RATES } from "./compare-table.ts";
import type { NumericResults } from "./numeric-results.ts";
import { largeTables, smallTables } from "./tables.ts";

/** Where the results stand among the others. */
export const NUMERIC_FILE = "numeric.json";

/** Compares what can be done with numeric columns, on large tables with the rivals, on small ones among the candidates. */
export function runNumeric(
  options: { readonly data: string | undefined; readonly seed: number; readonly out: string },
  progress: (line: string) => void,
): NumericResults {
  const folders = dataFolders(options.data);
  const { seed } = options;
  const results: NumericResults = {
    seed,
    rates: [...RATES],
    tables: [
      ...largeTables(folders, seed).map((table) => compareTable(table, seed, true, progress)),
      ...smallTables(folders, seed).map((table) => compareTable(table, seed, false, progress)),
    ],
  };
  writeWhole(join(options.out, "results", NUMERIC_FILE), `${JSON.stringify(results, null, 1)}\n`);
  return results;
}
