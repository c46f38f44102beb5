import { parseArgs } from "node:util";
import { short } from "conformant-workbench";
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
 * `npm run compare -- regression [TABLE…] [--splits N]`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { splits: { type: "string", default: "6" } },
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
const relative = keys
  .filter((key) => key !== "ours")
  .map((key) => {
    const ratios = RATES.map((_, i) => {
      const own = cases.flatMap(({ splits }) => {
        const other = errorsOf(splits, key, i);
        return other ? [mean(errorsOf(splits, "ours", i) as number[]) / mean(other)] : [];
      });
      return mean(own).toFixed(3);
    });
    return `- expected relative to ${METHODS[key]}, mean ratio of the errors at ${RATES.map((rate) => `${100 * rate}%`).join(", ")}: ${ratios.join(", ")}`;
  });
console.log(
  [
    "# Regressors",
    "",
    `Written by \`npm run compare -- regression\` on ${new Date().toISOString().slice(0, 10)}: root mean squared error with values masked at random, ${values.splits} random splits (70% for training), at most 4,000 training rows and 1,000 test rows. ± is the standard error over the splits.`,
    "",
    `- ahead in ${ahead} of ${cells} comparisons (${((100 * ahead) / cells).toFixed(0)}%); behind by more than two standard errors in ${behind.length}${behind.length > 0 ? `: ${behind.join("; ")}` : ""}`,
    ...relative,
    "",
    `| table | regressor | masked | ${keys.map((key) => METHODS[key]).join(" | ")} |`,
    `| --- | --- | --- |${" --- |".repeat(keys.length)}`,
    ...rows,
  ].join("\n"),
);
