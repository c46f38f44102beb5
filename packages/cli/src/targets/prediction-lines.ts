import { decide } from "conformant/internal";
import { type AddedValue, addedText } from "conformant-workbench";
import type { PredictedBatch } from "../sources/predict-batches.ts";

/** Formats batches of predictions as text. */
export interface LineWriter {
  readonly header: string;
  /** The fixed parts of a line: the class names as written (none of a number), and the separators. */
  readonly form?: { readonly separator: string; readonly classes: readonly string[] };
  readonly lines: (batch: PredictedBatch) => string;
}

/** A copied or added column. */
export interface ResultColumn {
  readonly name: string;
  readonly isNumber: boolean;
  /** Its type in a DuckDB table or a Parquet file. */
  readonly type?: string;
}

/** The columns of a result after the prediction: p_<class>, added columns, copied columns. */
export interface ResultColumns {
  /** None where the prediction is a number. */
  readonly classes: readonly string[];
  readonly added: readonly ResultColumn[];
  readonly kept: readonly ResultColumn[];
}

/** Their names, in order. */
export function resultNames({ classes, added, kept }: ResultColumns): string[] {
  const others = [...added, ...kept].map(({ name }) => name);
  return ["prediction", ...classes.map((name) => `p_${name}`), ...others];
}

/** Formats a probability: exactly (it reads back to the same double), or rounded. */
export type Digits = (probability: number) => string;

export function digits(places: number | undefined): Digits {
  return places === undefined ? String : (probability) => probability.toFixed(places);
}

/** The class of each row and its formatted probabilities, or its number as the only one where K is 0; an engine may have formatted them already. */
export function answersOf(
  batch: PredictedBatch,
  K: number,
  write: Digits,
): { readonly decision: (row: number) => number; readonly probability: (row: number, k: number) => string } {
  const { answered } = batch;
  if (answered && write === String)
    return {
      decision: (row) => answered.decisions[row],
      probability: (row, k) => answered.probabilities[k][row],
    };
  const { probabilities } = batch;
  const width = Math.max(K, 1);
  return {
    decision: (row) => likeliest(probabilities, row * K, K),
    probability: (row, k) => write(probabilities[row * width + k]),
  };
}

/**
 * CSV, or text with another separator; a list of names is one field.
 *
 * @param guard escapes copied names and texts
 */
export function separatedLines(
  result: ResultColumns,
  separator: string,
  write: Digits,
  guard: (text: string) => string,
): LineWriter {
  const { classes } = result;
  const K = classes.length;
  const quote = fieldQuoter(separator);
  const names = classes.map(quote);
  const guarded = result.kept.map((column) => ({ ...column, name: guard(column.name) }));
  const copies = result.kept.map(({ isNumber }) => (isNumber ? quote : (text: string) => quote(guard(text))));
  const field = (value: AddedValue): string =>
    typeof value === "number" ? write(value) : quote(addedText(value));
  const isPlain = write === String && result.kept.every(({ isNumber }) => isNumber);
  return {
    ...(isPlain && { form: { separator, classes: names } }),
    header: `${resultNames({ ...result, kept: guarded })
      .map(quote)
      .join(separator)}\n`,
    lines: (batch) => {
      const { rows, added, texts } = batch;
      const { decision, probability } = answersOf(batch, K, write);
      let text = "";
      for (let r = 0; r < rows; r++) {
        text += K === 0 ? probability(r, 0) : names[decision(r)];
        for (let k = 0; k < K; k++) text += separator + probability(r, k);
        for (const value of added[r] ?? []) text += separator + field(value);
        for (const [t, column] of texts.entries()) text += separator + copies[t](column[r] ?? "");
        text += "\n";
      }
      return text;
    },
  };
}

/** The JSON key of an added column, in camelCase: standard_error becomes standardError. */
export function jsonKey(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** One JSON object a line. */
export function jsonLines({ classes, added: addedColumns, kept }: ResultColumns, write: Digits): LineWriter {
  const K = classes.length;
  const names = classes.map((name) => JSON.stringify(name));
  const addedNames = addedColumns.map(({ name }) => JSON.stringify(jsonKey(name)));
  const keptNames = kept.map(({ name }) => JSON.stringify(name));
  const field = (value: AddedValue): string =>
    typeof value === "number" && Number.isFinite(value) ? write(value) : JSON.stringify(value);
  return {
    header: "",
    lines: (batch) => {
      const { rows, added, texts } = batch;
      const { decision, probability } = answersOf(batch, K, write);
      let text = "";
      for (let r = 0; r < rows; r++) {
        const shares = names.map((name, k) => `${name}:${probability(r, k)}`);
        const asked = (added[r] ?? []).map((value, a) => `,${addedNames[a]}:${field(value)}`);
        const copied = texts.map((column, t) => `,${keptNames[t]}:${jsonValue(column[r], kept[t].isNumber)}`);
        const answer =
          K === 0 ? probability(r, 0) : `${names[decision(r)]},"probabilities":{${shares.join(",")}}`;
        text += `{"prediction":${answer}${asked.join("")}${copied.join("")}}\n`;
      }
      return text;
    },
  };
}

/** A number in JSON. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** A number where a double holds all its digits, otherwise a text: a 64-bit key keeps its digits. */
function jsonValue(text: string | null, isNumber: boolean): string {
  if (!isNumber || text === null || !JSON_NUMBER.test(text)) return JSON.stringify(text);
  const number = Number(text);
  const isExact = /^-?\d+$/.test(text)
    ? Number.isSafeInteger(number)
    : Number.isFinite(number) && digitsOf(String(number)) === digitsOf(text);
  return isExact ? text : JSON.stringify(text);
}

/** The significant digits of a number. */
function digitsOf(text: string): string {
  return text
    .replace(/e.*/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
}

/** The index of the largest of K probabilities; of tied ones the last, as in the library. */
export function likeliest(probabilities: Float64Array, start: number, K: number): number {
  return decide(probabilities.subarray(start, start + K)).class;
}

/** A field, quoted where it contains the separator, a quote or a line break (RFC 4180). */
function fieldQuoter(separator: string): (text: string) => string {
  const special = separator === "\t" ? /["\t\r\n]/ : /[",\r\n]/;
  return (text) => (special.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text);
}
