import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CANDIDATES, EVALUATED, type Score, type SplitScores } from "./evaluate-method.ts";
import { isEvaluated } from "./methods/methods.ts";
import { readOptions } from "./options.ts";
import { comparisonPage, resultsPage, type TableScores } from "./page.ts";
import { OVERVIEW, otherResults, RESULTS } from "./publish.ts";
import { LABEL, run, tableOf } from "./tables/compare-table.ts";

/** Where tables and scores are kept: what is there is not read or measured again. */
const FOLDER = "reports/compare";
/** Evaluates one method in a process of its own, so that its memory is its own. */
const EVALUATE = fileURLToPath(new URL("evaluate-split.ts", import.meta.url));

const { tables, splits, publish } = readOptions(process.argv.slice(2));
mkdirSync(FOLDER, { recursive: true });
const results: TableScores[] = tables.map(({ name, source, large = false, read }) => {
  const rows = join(FOLDER, fileName(name));
  if (!existsSync(rows)) writeFileSync(rows, read());
  const own = Array.from({ length: splits }, (_, split): SplitScores => {
    const tested = EVALUATED.filter((method) => isEvaluated(method, split, large));
    const found = new Map(tested.map((method) => [method, scoresOf(name, rows, split, method)]));
    const scores = [...found].flatMap(([method, all]) => (method === CANDIDATES ? [] : all));
    return { scores, candidates: found.get(CANDIDATES) ?? [] };
  });
  const table = tableOf(readFileSync(rows, "utf8"));
  const columns = table.schema.columns.filter((column) => column.name !== LABEL).length;
  return { name, source, rows: table.rows, columns, splits: own };
});
const page = resultsPage(results, new Date());
if (publish) {
  writeFileSync(RESULTS, page);
  writeFileSync(OVERVIEW, comparisonPage(page, otherResults()));
} else console.log(page);

function scoresOf(table: string, rows: string, split: number, method: string): Score[] {
  const file = join(FOLDER, fileName(table, String(split), method));
  if (!existsSync(file)) {
    console.error(`${table}, split ${split + 1}: ${method}`);
    writeFileSync(file, run(process.execPath, ["--import", "tsx", EVALUATE, rows, String(split), method]));
  }
  return JSON.parse(readFileSync(file, "utf8")) as Score[];
}

function fileName(...words: readonly string[]): string {
  return `${words.map((word) => word.replaceAll(/[^a-z0-9]+/gi, "-")).join("-")}.json`;
}
