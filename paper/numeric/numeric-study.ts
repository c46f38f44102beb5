import { dataFolders } from "../datasets/data-folder.ts";
import { numericPanels, numericSection } from "../report/sections/numeric-section.ts";
import type { Study } from "../studies/study.ts";
import { compareTable, RATES } from "./compare-table.ts";
import type { NumericResults } from "./numeric-results.ts";
import { largeTables, smallTables } from "./tables.ts";

/** Compares what can be done with numeric columns, on large tables with the baselines, on small ones among the candidates. */
export const numericStudy: Study<NumericResults> = {
  datasets: ["covtype", "adult", "splice"],
  about: "past the paper: numeric columns as they are, which the paper turns into bits",
  run: ({ data, seed, progress }) => {
    const folders = dataFolders(data);
    return {
      rates: [...RATES],
      tables: [
        ...largeTables(folders, seed).map((table) => compareTable(table, seed, true, progress)),
        ...smallTables(folders, seed).map((table) => compareTable(table, seed, false, progress)),
      ],
    };
  },
  section: numericSection,
  panels: numericPanels,
};
