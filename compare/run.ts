import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { judgeSplit, type SplitScores } from "./judge-split.ts";
import { readOptions } from "./options.ts";
import { comparisonPage, type TableScores } from "./page.ts";

/** Where the scores of each split are kept: what is there is not measured again. */
const FOLDER = "reports/compare";
const PAGE = "docs/comparison.md";

const { tables, splits, publish } = readOptions(process.argv.slice(2));
mkdirSync(FOLDER, { recursive: true });
const results: TableScores[] = tables.map(({ name, source, read }) => {
  let table: ReturnType<typeof read> | undefined;
  const own = Array.from({ length: splits }, (_, split): SplitScores => {
    const file = join(FOLDER, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}-${split}.json`);
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as SplitScores;
    table ??= read();
    const scores = judgeSplit(table, split, (line) => console.error(`${name}, split ${split + 1}: ${line}`));
    writeFileSync(file, JSON.stringify(scores));
    return scores;
  });
  table ??= read();
  return { name, source, rows: table.rows, columns: table.columns.length - 1, splits: own };
});
const page = comparisonPage(results);
if (publish) writeFileSync(PAGE, page);
else console.log(page);
