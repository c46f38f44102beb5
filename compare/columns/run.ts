import { parseArgs } from "node:util";
import { publish } from "../publish.ts";
import { mean, meanOverTables, meanWithError } from "../statistics.ts";
import { COLUMN_TABLES } from "./column-tables.ts";
import { evaluateColumns, METHODS, PREDICTORS, RATES, type RateScores } from "./evaluate-columns.ts";

/**
 * Prints, as Markdown, the log loss and accuracy of methods where whole columns are removed from the test rows:
 * `npm run compare -- columns [TABLE…] [--splits N] [--publish]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "6" }, publish: { type: "boolean", default: false } },
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

function percentOf(rates: readonly number[]): string {
  return RATES.map(
    (rate, i) => `${Math.abs(rates[i]).toFixed(1)}% ${rates[i] > 0 ? "higher" : "lower"} at ${100 * rate}%`,
  ).join(", ");
}

const NAMES = { xgboost: "The same XGBoost", logistic: "The same logistic regression" } as const;

/** The expected prediction of a classifier beside the other ways to use the same classifier. */
function summary(predictor: (typeof PREDICTORS)[number]): string[] {
  const ours = `${predictor}, expected prediction`;
  const fills = othersOf(predictor).filter((method) => !method.endsWith("retrained"));
  const gains = fills.flatMap((other) =>
    RATES.map((_, rate) => meanOverTables(differences(ours, other, rate))),
  );
  const ahead = gains.filter((gain) => gain.mean < 0).length;
  const clear = gains.filter((gain) => gain.mean < -2 * gain.error).length;
  const clearlyBehind = gains.filter((gain) => gain.mean > 2 * gain.error).length;
  const retrained = `${predictor}, retrained`;
  const ratios = RATES.map((_, rate) => {
    const [own, again] = [ours, retrained].map((method) =>
      mean(tables.map(({ splits }) => mean(valuesOf(splits, method, "logLoss", rate)))),
    );
    return 100 * (own / again - 1);
  });
  const lost = tables.flatMap(({ name, splits }) =>
    RATES.flatMap((rate, i) => {
      const [own, again] = [ours, retrained].map((method) => valuesOf(splits, method, "logLoss", i));
      const gap = meanWithError(own.map((loss, split) => loss - again[split]));
      return gap.mean > 2 * gap.error ? [`${name} at ${100 * rate}% (+${gap.mean.toFixed(3)})`] : [];
    }),
  );
  return [
    `- **${NAMES[predictor]}.** Mean log loss of the expected prediction is lower than that of the other ways to use the same classifier in ${ahead} of ${gains.length} comparisons, by more than two standard errors in ${clear}, and higher by more than two in ${clearlyBehind === 0 ? "none" : clearlyBehind}. It is, relative to training again on the columns that are left, ${percentOf(ratios)}. Training again is ahead by more than two standard errors on ${lost.length === 0 ? "no table" : lost.join(", ")}.`,
  ];
}

function othersOf(predictor: string): string[] {
  return METHODS.filter(
    (method) => method.startsWith(`${predictor}, `) && !method.endsWith("expected prediction"),
  );
}

/** Differences of the log loss to each other way. */
function differenceTable(): string[] {
  return [
    line(["expected prediction minus", ...RATES.map((rate) => `${100 * rate}% removed`)]),
    line(["---", ...RATES.map(() => "---")]),
    ...PREDICTORS.flatMap((predictor) =>
      othersOf(predictor).map((other) =>
        line([
          other,
          ...RATES.map((_, rate) => {
            const { mean: gain, error } = meanOverTables(
              differences(`${predictor}, expected prediction`, other, rate),
            );
            return `${gain.toFixed(3)} ± ${error.toFixed(3)}`;
          }),
        ]),
      ),
    ),
  ];
}

function meanTable(metric: Metric): string[] {
  return tableOf(metric, `mean of ${tables.length} tables`, (method, rate) =>
    meanOverTables(tables.map(({ splits }) => valuesOf(splits, method, metric, rate))),
  );
}

const text = [
  "# Which method predicts best when whole columns are removed?",
  "",
  `Log loss. Protocol of TabFSBench (ICML 2025): models are trained on complete rows, and random columns are removed from all test rows. *retrained* is trained again for each set of columns, on those that are left. Tables ${tables.map(({ name }) => name).join(", ")}; ${values.splits} splits (80% for training, at most 10,000 rows; at most 1,000 test rows), three sets of columns at each rate; XGBoost with its defaults and 100 rounds. ± is the standard error over the splits.`,
  "",
  ...PREDICTORS.flatMap(summary),
  "",
  ...meanTable("logLoss"),
  "",
  `Written by \`npm run compare -- columns\` on ${new Date().toISOString().slice(0, 10)}. Imputers learn from 3,000 training rows. Numbers are imputed by scikit-learn as means, by 10 nearest neighbors and by IterativeImputer.`,
  "",
  "## Differences of the log loss",
  "",
  ...differenceTable(),
  "",
  "## Accuracy in percent",
  "",
  ...meanTable("accuracy"),
  ...tables.flatMap(({ name, splits }) =>
    (["logLoss", "accuracy"] as const).flatMap((metric) => [
      "",
      `## ${name}: ${TITLES[metric].toLowerCase()}`,
      "",
      ...tableOf(metric, name, (method, rate) => meanWithError(valuesOf(splits, method, metric, rate))),
    ]),
  ),
];
publish("columns", text, values.publish);
