import { METHODS, PAPER_METHODS } from "../methods/methods.ts";
import type { Measure, Results } from "../protocol/scores/results.ts";
import { isGain, MEASURE_NAMES, ourValue, shortTitle } from "./series.ts";
import { markdownTable } from "./tables/markdown-table.ts";

/** The paper's three questions, answered by what was run. @param paired the results over the repeats that all methods have */
export function answerSections(results: readonly Results[], paired: readonly Results[]): string[] {
  return [
    "## The paper's questions",
    "### Q1: are the estimates close to the full-data prediction, and closer than imputation?",
    q1Words(results, paired),
    "Cross entropy at one per cent missing, every method on the same repeats:",
    onePercentTable(paired),
    "Seconds to fit and to answer all test rows of that table, by the clock, on one thread of a machine with other work; they compare within a column:",
    secondsTable(results),
    "### Q2: do better expectations mean better classification?",
    "At how many of the numbers of missing columns NaCL is the best of the paper's five methods:",
    fidelityTable(results),
    "### Q3: does NaCL keep logistic regression's advantage over naive Bayes?",
    q3Words(results),
    naiveBayesTable(results),
  ];
}

/** Cross entropy at about one per cent missing. */
function atOnePercent(result: Results, method: string): number | null {
  return ourValue(result, "cross_entropy", method, result.one_percent);
}

/** "MNIST and Splice". */
function listed(names: readonly string[]): string {
  return names.length < 2
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

function nameOf({ split, ...result }: Results): string {
  return `${shortTitle(result)} (${split})`;
}

function q1Words(results: readonly Results[], paired: readonly Results[]): string {
  const always = results.filter((result) => bestAt(result, "cross_entropy").every(Boolean));
  const others = results.filter((result) => !always.includes(result));
  const emulated = paired.filter((result) => atOnePercent(result, "authors_em") !== null);
  const secondToWorst = emulated.filter((result) => {
    const baselines = [...PAPER_METHODS, "authors_em"].map((name) => atOnePercent(result, name) ?? 0);
    return baselines.sort((a, b) => b - a)[1] === atOnePercent(result, "authors_em");
  });
  const proper = paired.filter((result) => atOnePercent(result, "em") !== null);
  const closer = proper.filter(
    (result) => (atOnePercent(result, "em") ?? 0) < (atOnePercent(result, "nacl") ?? 0),
  );
  const asMean = Math.max(
    ...emulated.map((result) =>
      Math.abs((atOnePercent(result, "authors_mice") ?? 0) / (atOnePercent(result, "mean") ?? 1) - 1),
    ),
  );
  const lines = [
    `Against the four constants NaCL is closest at every number of missing columns on ${listed(always.map(nameOf)) || "no dataset"}${others.length > 0 ? `, not at every one on ${listed(others.map(nameOf))}` : ""}.`,
    ...(emulated.length > 0
      ? [
          `The paper compares EM and MICE at one per cent missing and finds EM second to worst and MICE like the mean. The program that its code calls (the Python package impyute, on the test rows) looks at the gap's own column alone: what is named EM there draws from a normal distribution with the mean and deviation of the column, and in what is named MICE the loop over equations runs "while all have converged" and is never entered, which leaves the means. Run so, EM is second to worst of the paper's methods on ${listed(secondToWorst.map(shortTitle)) || "no dataset"} (of ${listed(emulated.map(shortTitle))}), and MICE is within ${(100 * asMean).toFixed(2)} % of the mean.`,
        ]
      : []),
    ...(proper.length > 0
      ? [
          `EM and chained equations that do look at the other columns, fitted on the training rows, are closer than NaCL there on ${closer.length} of ${proper.length}${closer.length === proper.length ? ": the paper's conclusion holds for the program it used and not for the methods" : ""}. What NaCL has over them is the cost, a table lookup per gap.`,
        ]
      : []),
  ];
  return lines.join("\n");
}

function onePercentTable(results: readonly Results[]): string {
  const methods = METHODS.filter(({ name }) => results.some((result) => atOnePercent(result, name) !== null));
  const least = results.map((result) =>
    Math.min(...methods.map(({ name }) => atOnePercent(result, name) ?? Number.POSITIVE_INFINITY)),
  );
  const rows = methods.map(({ name, label }) => [
    label,
    "",
    ...results.map((result, i) => {
      const value = atOnePercent(result, name);
      if (value === null) return "";
      const text = (100 * value).toFixed(2);
      return value === least[i] ? `**${text}**` : text;
    }),
  ]);
  const header = results.map((result) => `${nameOf(result)}, ${result.one_percent} of ${result.columns}`);
  return markdownTable(["cross entropy ×100", "", ...header], rows);
}

function secondsTable(results: readonly Results[]): string {
  const rows = METHODS.flatMap(({ name, label }) => {
    const cells = results.map(({ seconds }) =>
      seconds[name] ? `${brief(seconds[name].fit)} + ${brief(seconds[name].predict)}` : "",
    );
    return cells.every((text) => text === "") ? [] : [[label, "", ...cells]];
  });
  return markdownTable(["seconds, fit + answer", "", ...results.map(nameOf)], rows);
}

function brief(seconds: number): string {
  return seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0);
}

/** For every number of missing columns above zero whether NaCL is the best of the paper's five methods. */
function bestAt(result: Results, measure: Measure): boolean[] {
  // With everything missing nothing is left to tell methods apart by.
  const asked = result.missing.filter((missing) => missing > 0 && missing < result.columns);
  return asked.map((missing) => {
    const value = (method: string): number => ourValue(result, measure, method, missing) ?? Number.NaN;
    const baselines = PAPER_METHODS.filter((method) => method !== "nacl").map(value);
    return isGain(measure)
      ? value("nacl") > Math.max(...baselines.filter((x) => !Number.isNaN(x)))
      : value("nacl") < Math.min(...baselines.filter((x) => !Number.isNaN(x)));
  });
}

function fidelityTable(results: readonly Results[]): string {
  const share = (hits: readonly boolean[]): string => `${hits.filter(Boolean).length} of ${hits.length}`;
  return markdownTable(
    ["dataset", "measure", "NaCL closest to the full prediction", "NaCL most often right"],
    results.map((result) => [
      nameOf(result),
      MEASURE_NAMES[result.measure],
      share(bestAt(result, "cross_entropy")),
      share(bestAt(result, result.measure)),
    ]),
  );
}

/** Complete rows: logistic regression's accuracy and naive Bayes', and the largest share of columns at which NaCL is ahead. */
interface Lead {
  readonly result: Results;
  readonly logistic: number;
  readonly bayes: number;
  /** A share of the columns, undefined where it is behind from the start. */
  readonly until: number | undefined;
}

function leadOf(result: Results): Lead[] {
  const { nacl, naive_bayes: bayes } = result.accuracy;
  if (!nacl || !bayes) return [];
  const behind = result.missing.findIndex((_, at) => (nacl[at] ?? 0) <= (bayes[at] ?? 0));
  const last = behind < 0 ? result.missing.length - 1 : behind - 1;
  const until = last < 0 ? undefined : result.missing[last] / result.columns;
  return [{ result, logistic: nacl[0] ?? 0, bayes: bayes[0] ?? 0, until }];
}

function q3Words(results: readonly Results[]): string {
  const leads = results.flatMap(leadOf);
  const ahead = leads.filter(({ logistic, bayes }) => logistic > bayes);
  const rest = leads.filter((lead) => !ahead.includes(lead));
  const shares = ahead.map(({ until }) => Math.round(100 * (until ?? 0)));
  const names = (list: readonly Lead[]): string => listed(list.map(({ result }) => nameOf(result)));
  const lines = [
    `By accuracy, as the paper says: with complete rows logistic regression is ahead of naive Bayes on ${names(ahead) || "no dataset"}${rest.length > 0 ? ` and not on ${names(rest)}` : ""}.`,
    ...(shares.length > 0
      ? [
          `There NaCL keeps the lead until ${Math.min(...shares)} to ${Math.max(...shares)} % of the columns are missing; the paper says until 40 %.`,
        ]
      : []),
  ];
  return lines.join(" ");
}

function naiveBayesTable(results: readonly Results[]): string {
  return markdownTable(
    ["dataset", "", "logistic regression, complete rows", "naive Bayes, complete rows", "NaCL ahead until"],
    results
      .flatMap(leadOf)
      .map(({ result, logistic, bayes, until }) => [
        nameOf(result),
        "accuracy ×100",
        (100 * logistic).toFixed(2),
        (100 * bayes).toFixed(2),
        until === undefined ? "never" : `${Math.round(100 * until)} %`,
      ]),
  );
}
