import { parseArgs } from "node:util";
import { counted } from "conformant-workbench";
import { publish } from "../publish.ts";
import type { Scores } from "../score-answers.ts";
import { mean, meanOverTables, meanWithError } from "../statistics.ts";
import {
  CONDITIONS,
  type ConditionScores,
  DEFAULT,
  evaluateMice,
  evaluateReal,
  METHODS,
  MICE,
  MICE_SECONDS,
  OTHER_WAYS,
} from "./evaluate-real.ts";
import { REAL_TABLES } from "./real-tables.ts";

/**
 * Prints, as Markdown, scores on tables with their own missing values: `npm run compare -- real [TABLE…] [--splits N] [--others N] [--mice N] [--publish]`.
 * The other ways to fit, and mice, are scored on so many of the splits.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    splits: { type: "string", default: "10" },
    publish: { type: "boolean", default: false },
    others: { type: "string", default: "2" },
    mice: { type: "string", default: "2" },
  },
});
const chosen = REAL_TABLES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

/** What `fit` is compared with. */
const OTHERS = ["mean + indicator", "iterative", "boosting, native"];
const METRICS: Readonly<Record<keyof Scores, string>> = {
  logLoss: "Log loss",
  accuracy: "Accuracy",
  calibration: "Expected calibration error",
};

const [splits, others, mice] = [values.splits, values.others, values.mice].map(Number);
const tables = chosen.map(({ name }) => ({ name, splits: [] as Map<string, ConditionScores>[] }));
const refusals = new Map<string, string>();
for (let split = 0; split < splits; split++)
  for (const [t, table] of chosen.entries()) {
    const scores = await evaluateReal(
      table,
      split,
      (method) => split < others || !OTHER_WAYS.includes(method),
    );
    tables[t].splits.push(scores);
    if (split >= mice) continue;
    const own = await evaluateMice(table, split);
    scores.set(MICE, own.scores);
    if (own.refused) refusals.set(table.name, own.refused);
  }

type TableScores = (typeof tables)[number];

/** The scores of a method on the first splits of a table; undefined where it could not be fitted to one of them. */
function valuesOf(
  table: TableScores,
  method: string,
  metric: keyof Scores,
  condition: number,
  count = splits,
): number[] | undefined {
  const scores = table.splits.slice(0, count).map((split) => split.get(method)?.[condition][metric]);
  return scores.every((score) => score !== undefined) ? scores : undefined;
}

const shown = METHODS.filter((method) => !OTHER_WAYS.includes(method));
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

/** Means over the tables that all of some methods could be fitted to, on the first splits. */
function meanTable(metric: keyof Scores, methods = shown, count = splits): string[] {
  const own = tables.filter((table) => methods.every((method) => valuesOf(table, method, metric, 0, count)));
  return [
    ...header(`mean over ${own.length} tables, ${counted(count, "split")}`, CONDITIONS),
    ...methods.map((method) => line([method, ...meansOf(own, method, metric, count)])),
  ];
}

/** Means over tables under each condition. */
function meansOf(own: readonly TableScores[], method: string, metric: keyof Scores, count: number): string[] {
  return CONDITIONS.map((_, c) => {
    const { mean, error } = meanOverTables(
      own.map((table) => valuesOf(table, method, metric, c, count) as number[]),
    );
    return count > 1 ? `${mean.toFixed(3)} ± ${error.toFixed(3)}` : mean.toFixed(3);
  });
}

/** How multiple imputation does, where it could be had. */
function miceSection(): string[] {
  if (mice === 0) return [];
  const limit = `${MICE_SECONDS} seconds of processor time`;
  const refused = [...refusals].map(
    ([name, why]) => `\`${name}\` (${why.includes("time limit") ? "too slow" : "an error in R"})`,
  );
  const without = refused.length === 0 ? "" : ` Not on ${refused.join(", ")}.`;
  return [
    "## Multiple imputation",
    "",
    `R's mice with its defaults imputes training rows and test rows five times; test rows and labels teach it nothing. The probabilities of the five logistic regressions are averaged. It may take ${limit} on a split.${without}`,
    "",
    ...meanTable("logLoss", [DEFAULT, "mean", "iterative", MICE], mice),
    "",
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

const text = [
  "# Which method predicts best on tables with their own missing values?",
  "",
  `Log loss on ${tables.length} tables of the collection \`Rdatasets\` (surveys, clinics, registers; at most 1,000 rows of each), ${splits} splits (70% for training). *+30%* and *+60%* mask further cells of the test rows at random; *patterns* adds the missing values of a random training row. ± is the standard error over the splits.`,
  "",
  ...CONDITIONS.map(
    (condition, c) =>
      `- **${condition}.** The default of \`fit\` is not behind the best of mean + indicator, iterative imputation and native boosting by more than a standard error on ${notBehind(DEFAULT, c)}. Mean difference: ${OTHERS.map((other) => `${ahead(DEFAULT, other, c)} to ${other}`).join("; ")}.`,
  ),
  "",
  ...meanTable("logLoss"),
  "",
  `Written by \`npm run compare -- real\` on ${new Date().toISOString().slice(0, 10)}. Boosting chooses its number of iterations on a fifth of the training rows. Logistic regressions of scikit-learn have their default penalty. Weights for missing values count only values that are missing in the table itself; in *fit, not told* and *mean + indicator* they count masked cells as well, in *mean + indicator, told* they do not.`,
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
  line([DEFAULT, ...CONDITIONS.map((_, c) => notBehind(DEFAULT, c))]),
  "",
  "Mean difference of the log loss; negative: ahead.",
  "",
  ...header("difference", CONDITIONS),
  ...OTHERS.map((other) =>
    line([`${DEFAULT} minus ${other}`, ...CONDITIONS.map((_, c) => ahead(DEFAULT, other, c))]),
  ),
  "",
  ...miceSection(),
  ...(others > 0
    ? ["## Other ways to fit", "", ...meanTable("logLoss", [DEFAULT, ...OTHER_WAYS], others), ""]
    : []),
  "## Each table",
  ...CONDITIONS.flatMap((_, c) => ["", ...perTable(c)]),
];
publish("real", text, values.publish);
