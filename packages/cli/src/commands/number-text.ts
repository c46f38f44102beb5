import type {
  NumberCertainty,
  NumberExplanation,
  NumberQuestion,
  NumberSensitivity,
  NumberShapley,
  Row,
} from "conformant";
import {
  count,
  maskNames,
  NUMBER_METRICS,
  type NumberEvaluation,
  type NumberMetric,
  short,
} from "conformant-workbench";
import { describeVerdict } from "conformant-workbench/describe";
import { listed } from "../errors.ts";
import { textTable } from "../terminal/text-table.ts";
import { sampledSentence } from "./evaluation-text.ts";
import { cellText, valueText } from "./explanation-text.ts";
import { verdictText } from "./verdict-text.ts";

/** Rows of a table; the JSON has all of them. */
const MOST = 24;

/** The explanation of a number as text: sentences, then what each known column adds, in the unit of the number. */
export function numberExplanationText(explanation: NumberExplanation): string {
  const {
    output,
    prediction,
    prior,
    contributions,
    sufficient,
    missing,
    threshold,
    within = 0,
  } = explanation;
  const kept =
    threshold === undefined ? `within ${short(within)} of it` : `on its side of ${short(threshold)}`;
  const enough =
    explanation.status === "impossible" || explanation.status === "not-found"
      ? `No set of known values keeps it ${kept}.`
      : sufficient.length === 0
        ? `None of the known values is needed to stay ${kept}.`
        : `Enough to stay ${kept}: ${names(sufficient)} (${short(explanation.sufficientPrediction)}).`;
  const shown = contributions.slice(0, MOST);
  const table = textTable(
    ["column", "value", "effect", ""],
    shown.map(({ column, value, effect }) => [
      column,
      valueText(value),
      signed(effect),
      explanation.raises.includes(column) ? "raises" : explanation.lowers.includes(column) ? "lowers" : "",
    ]),
    (c) => c === 2,
  );
  const rest = contributions.length - shown.length;
  return [
    `Predicted ${output}: ${short(prediction, 6)}. ${enough}`,
    ...(shown.length > 0
      ? [
          "",
          rest > 0 ? `${table}\n… and ${count(rest)} more; --json shows all` : table,
          `from ${short(prior, 6)} with nothing known to ${short(prediction, 6)}`,
        ]
      : []),
    ...(missing.length > 0 ? [`not known: ${names(missing)}`] : []),
  ].join("\n");
}

export function numberShapleyText({ output, game, baseline, total, contributions }: NumberShapley): string {
  let sum = baseline;
  const shown = contributions.slice(0, MOST).map(({ column, value, contribution, standardError }) => {
    sum += contribution;
    const error = standardError === undefined ? [] : [`± ${short(standardError, 2)}`];
    return [column, valueText(value), signed(contribution), ...error, short(sum, 6)];
  });
  const drawn = contributions.some(({ standardError }) => standardError !== undefined) ? ["error"] : [];
  const table = textTable(["column", "value", "share", ...drawn, output], shown, (c) => c > 1);
  const rest = contributions.length - shown.length;
  const more = rest > 0 ? `\n… and ${count(rest)} more; --json shows all` : "";
  return `Shapley values (${game}), from ${short(baseline, 6)} to ${short(total, 6)} for ${output}:\n\n${table}${more}`;
}

export function numberSensitivityText({ tilts, limit }: NumberSensitivity): string {
  if (tilts.length === 0) return "Nothing is missing, so that it does not matter why.";
  const table = textTable(
    ["if not missing at random", "low values", "high values"],
    tilts
      .slice(0, MOST)
      .map(({ column, value, range: [low, high] }) => [
        value === undefined ? column : `${column} = ${value}`,
        short(low, 6),
        short(high, 6),
      ]),
    (c) => c > 0,
  );
  return `The prediction where low, or high, values are missing most often (tilt ${limit}):\n\n${table}`;
}

/** What is predicted now, and in which range the number would lie with everything known. */
export function numberStandingText(
  output: string,
  { prediction, coverage, interval: [low, high], standardDeviation }: NumberCertainty,
  row: Row,
): string {
  const known = Object.entries(row).map(([name, value]) => `${name} = ${cellText(value)}`);
  const rest = known.length === 0 ? "Nothing is known yet." : `Known: ${known.join(", ")}.`;
  const range = `between ${short(low.value, 6)} and ${short(high.value, 6)} with probability ${coverage}`;
  return `Predicted ${output}: ${short(prediction, 6)}. ${rest} With everything known it would be ${range} (standard deviation ${short(standardDeviation.value)}).`;
}

/** The missing columns, best first. */
export function numberRankingText(questions: readonly NumberQuestion[], withCosts: boolean): string {
  if (questions.length === 0) return "Everything is known: there is nothing to ask.";
  const shown = questions.slice(0, MOST);
  const table = textTable(
    ["ask", "variance falls by", "standard deviation then", ...(withCosts ? ["cost", "per cost"] : [])],
    shown.map(({ column, varianceReduction, standardDeviation, cost, gainPerCost }) => [
      column,
      short(varianceReduction),
      short(standardDeviation),
      ...(withCosts ? [short(cost), short(gainPerCost)] : []),
    ]),
    (c) => c > 0,
  );
  return questions.length > MOST
    ? `${table}\n… and ${questions.length - MOST} more; --json shows all`
    : table;
}

/** The metrics of a predicted number in words, and whether less is better. */
const METRIC_WORDS: Readonly<Record<NumberMetric, readonly [title: string, less: boolean]>> = {
  rmse: ["Root mean squared error", true],
  mae: ["Mean absolute error", true],
  r2: ["R², the share of the variance that is explained", false],
  rmseToFull: ["Root mean squared error to the full prediction", true],
};

/** A table per metric: a line per method, a column per share of masked cells; a star marks the best of each column. */
export function numberEvaluationText(evaluation: NumberEvaluation): string {
  const { rates, mechanism, methods } = evaluation;
  const blocks = NUMBER_METRICS.map((metric) => {
    const [title, less] = METRIC_WORDS[metric];
    const onAll = methods.filter(({ rows }) => rows === evaluation.rows);
    const bestOf = (values: readonly number[]): number => (less ? Math.min(...values) : Math.max(...values));
    const best = rates.map((_, i) => bestOf(onAll.map(({ mean }) => mean[metric][i])));
    const asTheyAre = bestOf(onAll.map(({ unmasked }) => unmasked[metric]));
    const rows = methods.map(({ name, mean, standardError, unmasked }) => [
      name,
      `${unmasked[metric] === asTheyAre ? "* " : ""}${short(unmasked[metric])}`,
      ...rates.map(
        (_, i) =>
          `${mean[metric][i] === best[i] ? "* " : ""}${short(mean[metric][i])} ± ${short(standardError[metric][i], 2)}`,
      ),
    ]);
    const table = textTable(["masked", ...maskNames(rates, mechanism)], rows, (c) => c > 0);
    return `${title} (${less ? "lower" : "higher"} is better)\n${table}`;
  });
  const sampled = sampledSentence(evaluation);
  return [
    verdictText(describeVerdict(evaluation.verdict, [])),
    ...(sampled ? [sampled] : []),
    ...blocks,
  ].join("\n\n");
}

/** The evaluation for programs. */
export function numberEvaluationJson({ rates, mechanism, rows, verdict, methods }: NumberEvaluation): object {
  const results = methods.map(({ name, mean, standardError, unmasked, ...method }) => [
    name,
    { rows: method.rows, ...mean, standardError, asTheyAre: unmasked, unmasked: unmasked },
  ]);
  return { missing: rates, mask: mechanism, rows, verdict, methods: Object.fromEntries(results) };
}

function names(list: readonly string[]): string {
  return listed(list, 8).replaceAll('"', "");
}

function signed(x: number): string {
  return x > 0 ? `+${short(x, 5)}` : short(x, 5);
}
