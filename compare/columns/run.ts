import { parseArgs } from "node:util";
import { mean, meanOverTables, meanWithError } from "../statistics.ts";
import { COLUMN_TABLES } from "./column-tables.ts";
import { evaluateColumns, METHODS, PREDICTORS, RATES, type RateScores } from "./evaluate-columns.ts";

/**
 * Prints, as Markdown, the log loss and accuracy of methods where whole columns are removed from the test rows:
 * `npm run compare -- columns [TABLE…] [--splits N]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "6" } },
});
const chosen = COLUMN_TABLES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

/** Per table its splits. */
const tables = chosen.map(({ name }) => ({ name, splits: [] as ReadonlyMap<string, RateScores>[] }));
for (let split = 0; split < Number(values.splits); split++)
  for (const [t, table] of chosen.entries()) tables[t].splits.push(await evaluateColumns(table, split));

type Metric = "logLoss" | "accuracy";

function valuesOf(
  splits: readonly ReadonlyMap<string, RateScores>[],
  method: string,
  metric: Metric,
  rate: number,
): number[] {
  return splits.map((split) => (split.get(method) as RateScores)[rate][metric]);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function tableOf(
  metric: Metric,
  name: string,
  of: (method: string, rate: number) => { mean: number; error: number },
): string[] {
  return [
    line([name, ...RATES.map((rate) => `${100 * rate}% removed`)]),
    line(["---", ...RATES.map(() => "---")]),
    ...METHODS.map((method) =>
      line([
        method,
        ...RATES.map((_, i) => {
          const { mean: center, error } = of(method, i);
          return metric === "logLoss"
            ? `${center.toFixed(3)} ± ${error.toFixed(3)}`
            : `${(100 * center).toFixed(1)} ± ${(100 * error).toFixed(1)}`;
        }),
      ]),
    ),
  ];
}

const TITLES: Readonly<Record<Metric, string>> = { logLoss: "Log loss", accuracy: "Accuracy in percent" };

/** The differences of each table and split between two methods at a rate. */
function differences(a: string, b: string, rate: number): number[][] {
  return tables.map(({ splits }) => {
    const [own, other] = [a, b].map((method) => valuesOf(splits, method, "logLoss", rate));
    return own.map((value, split) => value - other[split]);
  });
}

/** What the expected prediction of a classifier gains over the other ways to use it. */
function summary(predictor: string): string[] {
  const ours = `${predictor}, expected prediction`;
  const others = METHODS.filter((method) => method.startsWith(`${predictor}, `) && method !== ours);
  return others.map((other) => {
    const parts = RATES.map((_, rate) => {
      const { mean: gain, error } = meanOverTables(differences(ours, other, rate));
      return `${gain > 0 ? "+" : ""}${gain.toFixed(3)} ± ${error.toFixed(3)}`;
    });
    return `- ${ours} minus ${other.slice(predictor.length + 2)}, log loss at ${RATES.map((rate) => `${100 * rate}%`).join(", ")}: ${parts.join(", ")}`;
  });
}

/** The mean log loss over tables relative to the retrained classifier's. */
function relative(predictor: string): string {
  const ratio = RATES.map((_, rate) => {
    const [own, again] = ["expected prediction", "retrained"].map((how) =>
      mean(tables.map(({ splits }) => mean(valuesOf(splits, `${predictor}, ${how}`, "logLoss", rate)))),
    );
    return `${((own / again - 1) * 100).toFixed(1)}%`;
  });
  return `- ${predictor}: log loss of the expected prediction relative to the retrained classifier: ${ratio.join(", ")}`;
}

const text = [
  "# Whole columns removed",
  "",
  `Written by \`npm run compare -- columns\` on ${new Date().toISOString().slice(0, 10)}: ${tables.map(({ name }) => name).join(", ")} of TabFSBench, ${values.splits} random splits (80% for training), three random sets of columns at each rate. ± is the standard error over the splits.`,
  "At most 10,000 training rows and 1,000 test rows are used, and imputers learn from 3,000 rows.",
  "",
  ...PREDICTORS.flatMap(summary),
  ...PREDICTORS.map(relative),
  ...(["logLoss", "accuracy"] as const).flatMap((metric) => [
    "",
    `## ${TITLES[metric]}`,
    "",
    ...tableOf(metric, `mean over ${tables.length} tables`, (method, rate) =>
      meanOverTables(tables.map(({ splits }) => valuesOf(splits, method, metric, rate))),
    ),
    ...tables.flatMap(({ name, splits }) => [
      "",
      ...tableOf(metric, name, (method, rate) => meanWithError(valuesOf(splits, method, metric, rate))),
    ]),
  ]),
];
console.log(text.join("\n"));
