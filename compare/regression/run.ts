import { parseArgs } from "node:util";
import { short } from "conformant-workbench";
import { publish } from "../publish.ts";
import { mean, meanWithError } from "../statistics.ts";
import {
  type Errors,
  evaluateRegression,
  METHODS,
  type MethodKey,
  RATES,
  REGRESSORS,
  type RegressorName,
} from "./evaluate-regression.ts";
import { REGRESSION_TABLES } from "./regression-tables.ts";

/**
 * Prints, as Markdown, the root mean squared error of regressors as more cells are masked:
 * `npm run compare -- regression [TABLE…] [--splits N] [--publish]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "6" }, publish: { type: "boolean", default: false } },
});
const chosen = REGRESSION_TABLES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const regressors = Object.keys(REGRESSORS) as RegressorName[];
const keys = Object.keys(METHODS) as MethodKey[];

const cases = chosen.flatMap((table) =>
  regressors.map((regressor) => ({ table, regressor, splits: [] as Errors[] })),
);
for (let split = 0; split < Number(values.splits); split++)
  for (const { table, regressor, splits } of cases)
    splits.push(await evaluateRegression(table, regressor, split));

function errorsOf(splits: readonly Errors[], key: MethodKey, rate: number): number[] | undefined {
  const own = splits.map((errors) => errors[key]?.[rate]);
  return own.every((error) => error !== undefined) ? own : undefined;
}

let [cells, ahead] = [0, 0];
const behind: string[] = [];
const rows = cases.flatMap(({ table, regressor, splits }) =>
  RATES.map((rate, i) => {
    const ours = errorsOf(splits, "ours", i) as number[];
    const cell = `${table.name}, ${regressor}, ${100 * rate}%`;
    const shown = keys.map((key) => {
      const own = errorsOf(splits, key, i);
      if (!own) return "";
      if (key !== "ours") {
        const difference = meanWithError(ours.map((error, split) => error - own[split]));
        cells++;
        if (difference.mean < 0) ahead++;
        if (difference.mean > 2 * difference.error) behind.push(`${cell} (${METHODS[key]})`);
      }
      const { mean: center, error } = meanWithError(own);
      return `${short(center, 4)} ± ${short(error, 2)}`;
    });
    return `| ${[table.name, regressor, `${100 * rate}%`, ...shown].join(" | ")} |`;
  }),
);
const ratios = keys.slice(1).map((key) => {
  const cells = RATES.map((_, i) => {
    const own = cases.flatMap(({ splits }) => {
      const other = errorsOf(splits, key, i);
      return other ? [mean(errorsOf(splits, "ours", i) as number[]) / mean(other)] : [];
    });
    return mean(own).toFixed(3);
  });
  return `| ${METHODS[key]} | ${cells.join(" | ")} |`;
});
publish(
  "regression",
  [
    "# And when the answer is a number?",
    "",
    `Root mean squared error of linear regression and boosted trees on ${chosen.map(({ name }) => name).join(", ")}: that of the expected prediction relative to the same regressor on imputed rows, mean over the tables. Values are masked at random; ${values.splits} splits (70% for training, at most 4,000 rows; at most 1,000 test rows).`,
    "",
    `- **Regressors.** The error of the expected prediction is lower in ${ahead} of ${cells} comparisons, and higher by more than two standard errors in ${behind.length === 0 ? "none" : `${behind.length}: ${behind.join("; ")}`}.`,
    "",
    `| relative to | ${RATES.map((rate) => `${100 * rate}% masked`).join(" | ")} |`,
    `| --- |${" --- |".repeat(RATES.length)}`,
    ...ratios,
    "",
    `Written by \`npm run compare -- regression\` on ${new Date().toISOString().slice(0, 10)}.`,
    "",
    "## Each table",
    "",
    "Root mean squared error ± its standard error over the splits.",
    "",
    `| table | regressor | masked | ${keys.map((key) => METHODS[key]).join(" | ")} |`,
    `| --- | --- | --- |${" --- |".repeat(keys.length)}`,
    ...rows,
  ],
  values.publish,
);
