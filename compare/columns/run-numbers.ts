import { parseArgs } from "node:util";
import { short } from "conformant-workbench";
import { publish } from "../publish.ts";
import { mean, meanWithError } from "../statistics.ts";
import { NUMBER_TABLES } from "./column-tables.ts";
import { evaluateColumnNumbers, NUMBER_METHODS, OURS, type RateErrors } from "./evaluate-column-numbers.ts";
import { RATES } from "./evaluate-columns.ts";

/**
 * Prints, as Markdown, the root mean squared error of a regressor where whole columns are removed from the test rows:
 * `npm run compare -- column-numbers [TABLE…] [--splits N] [--publish]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "6" }, publish: { type: "boolean", default: false } },
});
const tables = NUMBER_TABLES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)).map(
  (table) => ({ table, splits: [] as Readonly<Record<string, RateErrors>>[] }),
);
for (let split = 0; split < Number(values.splits); split++)
  for (const { table, splits } of tables) splits.push(await evaluateColumnNumbers(table, split));

type Splits = (typeof tables)[number]["splits"];

function errorsOf(splits: Splits, method: string, rate: number): number[] {
  return splits.map((split) => split[method][rate]);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The same regressor in other ways; trees that are trained here are another one. */
const others = NUMBER_METHODS.filter((method) => method !== OURS && method !== "own trees");
const cells = tables.flatMap(({ table, splits }) =>
  others.flatMap((method) =>
    RATES.map((rate, i) => {
      const [own, other] = [OURS, method].map((name) => errorsOf(splits, name, i));
      const gap = meanWithError(own.map((error, split) => error - other[split]));
      return { cell: `${table.name} at ${100 * rate}% (${method})`, method, ...gap };
    }),
  ),
);
const fills = cells.filter(({ method }) => method !== "retrained");
const behind = cells.filter((own) => own.mean > 2 * own.error).map(({ cell }) => cell);
publish(
  "column-numbers",
  [
    "# And a number, when whole columns are removed?",
    "",
    `Root mean squared error of the expected prediction of an XGBoost regressor relative to other ways to use it, mean over the regression tables of TabFSBench: ${tables.map(({ table }) => table.name).join(", ")} (bike without its times). Random columns are removed from all test rows; *retrained* is trained again for each set of columns; ${values.splits} splits (80% for training, at most 10,000 rows; at most 1,000 test rows), three sets of columns at each rate.`,
    "",
    `- **The same XGBoost regressor.** The error of the expected prediction is lower in ${fills.filter((own) => own.mean < 0).length} of ${fills.length} comparisons without training again, by more than two standard errors in ${fills.filter((own) => own.mean < -2 * own.error).length}. It is higher by more than two standard errors in ${behind.length === 0 ? "no comparison" : behind.join(", ")}.`,
    "",
    line(["relative to", ...RATES.map((rate) => `${100 * rate}% removed`)]),
    line(["---", ...RATES.map(() => "---")]),
    ...others.map((method) =>
      line([
        method,
        ...RATES.map((_, i) =>
          mean(
            tables.map(({ splits }) => mean(errorsOf(splits, OURS, i)) / mean(errorsOf(splits, method, i))),
          ).toFixed(3),
        ),
      ]),
    ),
    "",
    `Written by \`npm run compare -- column-numbers\` on ${new Date().toISOString().slice(0, 10)}.`,
    ...tables.flatMap(({ table, splits }) => [
      "",
      `## ${table.name}`,
      "",
      "Root mean squared error ± its standard error over the splits.",
      "",
      line(["method", ...RATES.map((rate) => `${100 * rate}% removed`)]),
      line(["---", ...RATES.map(() => "---")]),
      ...NUMBER_METHODS.map((method) =>
        line([
          method,
          ...RATES.map((_, i) => {
            const { mean: center, error } = meanWithError(errorsOf(splits, method, i));
            return `${short(center, 4)} ± ${short(error, 2)}`;
          }),
        ]),
      ),
    ]),
  ],
  values.publish,
);
