import { parseArgs } from "node:util";
import { publish } from "../publish.ts";
import type { Scores } from "../score-answers.ts";
import { mean, meanOverTables, meanWithError } from "../statistics.ts";
import { CONDITIONS, type ConditionScores, DEFAULT, evaluateReal, METHODS } from "./evaluate-real.ts";
import { REAL_TABLES } from "./real-tables.ts";

/**
 * Prints, as Markdown, scores on tables with their own missing values: `npm run compare -- real [TABLE…] [--splits N] [--only default] [--publish]`.
 * `--only default` leaves out the other ways to fit.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    splits: { type: "string", default: "10" },
    publish: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const chosen = REAL_TABLES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

/** What the methods of `fit` are compared with. */
const OTHERS = ["mean + indicator", "iterative", "boosting, native"];
const METRICS: Readonly<Record<keyof Scores, string>> = {
  logLoss: "Log loss",
  accuracy: "Accuracy",
  calibration: "Expected calibration error",
};

const isWanted = (method: string): boolean => values.only !== "default" || method === DEFAULT;

const tables = chosen.map(({ name }) => ({ name, splits: [] as ReadonlyMap<string, ConditionScores>[] }));
for (let split = 0; split < Number(values.splits); split++)
  for (const [t, table] of chosen.entries())
    tables[t].splits.push(await evaluateReal(table, split, isWanted));

type TableScores = (typeof tables)[number];

/** The scores of a method on the splits of a table; undefined where it could not be fitted to one of them. */
function valuesOf(
  { splits }: TableScores,
  method: string,
  metric: keyof Scores,
  condition: number,
): number[] | undefined {
  const scores = splits.map((split) => split.get(method)?.[condition][metric]);
  return scores.every((score) => score !== undefined) ? scores : undefined;
}

const shown = METHODS.filter((method) =>
  tables.some((table) => valuesOf(table, method, "logLoss", 0) !== undefined),
);
/** Tables that every method could be fitted to: means are over these. */
const common = tables.filter((table) =>
  shown.every((method) => valuesOf(table, method, "logLoss", 0) !== undefined),
);

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function header(first: string, names: readonly string[]): string[] {
  return [line([first, ...names]), line(["---", ...names.map(() => "---")])];
}

function meanTable(metric: keyof Scores): string[] {
  return [
    ...header(`mean over ${common.length} tables`, CONDITIONS),
    ...shown.map((method) =>
      line([
        method,
        ...CONDITIONS.map((_, c) => {
          const own = meanOverTables(common.map((table) => valuesOf(table, method, metric, c) as number[]));
          return `${own.mean.toFixed(3)} ± ${own.error.toFixed(3)}`;
        }),
      ]),
    ),
  ];
}

/** On how many tables a method is not behind the best of the others by more than a standard error of the difference. */
function notBehind(method: string, condition: number): string {
  const behind = common.filter((table) => {
    const own = valuesOf(table, method, "logLoss", condition) as number[];
    const others = OTHERS.map((name) => valuesOf(table, name, "logLoss", condition) as number[]);
    const best = others.reduce((a, b) => (mean(b) < mean(a) ? b : a));
    const { mean: difference, error } = meanWithError(own.map((loss, split) => loss - best[split]));
    return difference > error;
  });
  const names = behind.map(({ name }) => `\`${name}\``).join(", ");
  return `${common.length - behind.length} of ${common.length} tables${behind.length > 0 ? ` (not: ${names})` : ""}`;
}

/** The mean difference of log losses to another method. */
function ahead(method: string, other: string, condition: number): string {
  const differences = common.map((table) => {
    const [own, theirs] = [method, other].map(
      (name) => valuesOf(table, name, "logLoss", condition) as number[],
    );
    return own.map((loss, split) => loss - theirs[split]);
  });
  const { mean: difference, error } = meanOverTables(differences);
  return `${difference > 0 ? "+" : ""}${difference.toFixed(3)} ± ${error.toFixed(3)}`;
}

function perTable(condition: number): string[] {
  return [
    ...header(
      `log loss, ${CONDITIONS[condition]}`,
      shown.filter((method) => !method.includes("told")),
    ),
    ...tables.map((table) =>
      line([
        table.name,
        ...shown
          .filter((method) => !method.includes("told"))
          .map((method) => {
            const own = valuesOf(table, method, "logLoss", condition);
            if (!own) return "";
            const { mean: center, error } = meanWithError(own);
            return `${center.toFixed(3)} ± ${error.toFixed(3)}`;
          }),
      ]),
    ),
  ];
}

const OURS = shown.filter((method) => method.startsWith("fit") && !method.includes("not told"));
const text = [
  "# Which method predicts best on tables with their own missing values?",
  "",
  `Log loss on ${tables.length} tables of the collection \`Rdatasets\` (surveys, clinics, registers; at most 1,000 rows of each), ${values.splits} splits (70% for training). *+30%* and *+60%* mask further cells of the test rows at random; *patterns* adds the missing values of a random training row. ± is the standard error over the splits.`,
  "",
  ...CONDITIONS.map(
    (condition, c) =>
      `- **${condition}.** The default of \`fit\` is not behind the best of mean + indicator, iterative imputation and native boosting by more than a standard error on ${notBehind(DEFAULT, c)}. Mean difference: ${OTHERS.map((other) => `${ahead(DEFAULT, other, c)} to ${other}`).join("; ")}.`,
  ),
  "",
  ...meanTable("logLoss"),
  "",
  `Written by \`npm run compare -- real${values.only ? ` --only ${values.only}` : ""}\` on ${new Date().toISOString().slice(0, 10)}. Boosting chooses its number of iterations on a fifth of the training rows. Logistic regressions of scikit-learn have their default penalty. Weights for missing values count only values that are missing in the table itself; in *fit, not told* and *mean + indicator* they count masked cells as well, in *mean + indicator, told* they do not.`,
  "",
  ...(["accuracy", "calibration"] as const).flatMap((metric) => [
    `## ${METRICS[metric]}`,
    "",
    ...meanTable(metric),
    "",
  ]),
  `## Against the best of mean + indicator, iterative imputation and native boosting`,
  "",
  "Tables on which a method is not behind the best of the three by more than a standard error of the difference.",
  "",
  ...header("method", CONDITIONS),
  ...OURS.map((method) => line([method, ...CONDITIONS.map((_, c) => notBehind(method, c))])),
  "",
  "Mean difference of the log loss; negative: ahead.",
  "",
  ...header("difference", CONDITIONS),
  ...OURS.flatMap((method) =>
    OTHERS.map((other) =>
      line([`${method} minus ${other}`, ...CONDITIONS.map((_, c) => ahead(method, other, c))]),
    ),
  ),
  "",
  "## Each table",
  ...CONDITIONS.flatMap((_, c) => ["", ...perTable(c)]),
];
publish("real", text, values.publish);
