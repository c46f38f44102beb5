import { type Contribution, type Explanation, explainInWords, type Shapley, type Value } from "conformant";
import { count, short } from "conformant-workbench";
import { listed } from "../errors.ts";
import { textTable } from "../terminal/text-table.ts";

/** Rows of the contribution table; the JSON has all of them. */
const MOST = 24;

/** An explanation as text: two or three sentences, then the contribution of every observed column. */
export function explanationText(explanation: Explanation): string {
  const { contributions, prior, probability, prediction, missing } = explanation;
  const parts = [explainInWords(explanation)];
  if (contributions.length > 0) {
    parts.push(contributionTable(explanation));
    parts.push(`from ${likely(prior)} with nothing known to ${likely(probability)} for ${prediction}`);
  }
  if (missing.length > 0) parts.push(`not known: ${listed(missing, 8).replaceAll('"', "")}`);
  return `${parts.slice(0, 2).join("\n\n")}${parts
    .slice(2)
    .map((line) => `\n${line}`)
    .join("")}`;
}

/** The path from the prior to this prediction: a line per observed column, with the probability so far. */
export function shapleyText({ class: name, game, baseline, total, contributions, method }: Shapley): string {
  let sum = baseline;
  const shown = contributions.slice(0, MOST).map(({ column, value, contribution, standardError }) => {
    sum += contribution;
    const error = standardError === undefined ? [] : [`± ${standardError.toFixed(4)}`];
    return [column, valueText(value), signed(contribution, 4), ...error, sum.toFixed(4)];
  });
  const drawn = method === "sampling" ? ["error"] : [];
  const table = textTable(["column", "value", "share", ...drawn, `P(${name})`], shown, (c) => c > 1);
  const rest = contributions.length - shown.length;
  const more = rest > 0 ? `\n… and ${count(rest)} more; --json shows all` : "";
  return `Shapley values (${game}), from ${baseline.toFixed(4)} to ${total.toFixed(4)} for ${name}:\n\n${table}${more}`;
}

function contributionTable(explanation: Explanation): string {
  const { contributions } = explanation;
  const shown = contributions.slice(0, MOST);
  const table = textTable(
    ["column", "value", "log-odds", "probability", ""],
    shown.map(({ column, value, logOdds, probability }) => [
      column,
      valueText(value),
      signed(logOdds, 2),
      signed(probability, 3),
      roleOf(explanation, column),
    ]),
    (c) => c === 2 || c === 3,
  );
  const rest = contributions.length - shown.length;
  return rest > 0 ? `${table}\n… and ${count(rest)} more; --json shows all` : table;
}

function roleOf({ sufficient, opposing }: Explanation, column: string): string {
  if (sufficient.includes(column)) return "for, suffices";
  return opposing.includes(column) ? "against" : "for";
}

/** The value of a feature, which may be a group of columns. */
export function valueText(value: Contribution["value"]): string {
  if (typeof value !== "object" || value === null) return cellText(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${cellText(inner)}`)
    .join(", ");
}

export function cellText(value: Value): string {
  if (value === null) return "is missing";
  return typeof value === "number" ? short(value, 6) : String(value);
}

/** Three decimals; 0 and 1 only where they are exact. */
function likely(p: number): string {
  if (p > 0.9995 && p < 1) return "> 0.999";
  return p < 0.0005 && p > 0 ? "< 0.001" : p.toFixed(3);
}

function fixed(x: number, places: number): string {
  const text = x.toFixed(places);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

function signed(x: number, places: number): string {
  const text = fixed(x, places);
  return x > 0 && Number(text) !== 0 ? `+${text}` : text;
}
