import type { PredictedBatch } from "./predict-batches.ts";

/** Turns batches of predictions into the text of a file. */
export interface LineWriter {
  readonly header: string;
  readonly lines: (batch: PredictedBatch) => string;
}

/** A column that is copied through. */
export interface KeptColumn {
  readonly name: string;
  readonly isNumber: boolean;
}

/** How a probability is written: so that it reads back to the same double, or rounded for people. */
export type Digits = (probability: number) => string;

export function digits(places: number | undefined): Digits {
  return places === undefined ? String : (probability) => probability.toFixed(places);
}

/** CSV or another separator: prediction, p_<class> …, then the columns copied through. */
export function separatedLines(
  classes: readonly string[],
  kept: readonly KeptColumn[],
  separator: string,
  write: Digits,
): LineWriter {
  const quote = fieldQuoter(separator);
  const names = classes.map(quote);
  return {
    header: `${["prediction", ...classes.map((name) => `p_${name}`), ...kept.map(({ name }) => name)].map(quote).join(separator)}\n`,
    lines: ({ rows, probabilities, texts }) => {
      const K = classes.length;
      let text = "";
      for (let r = 0; r < rows; r++) {
        text += names[likeliest(probabilities, r * K, K)];
        for (let k = 0; k < K; k++) text += separator + write(probabilities[r * K + k]);
        for (const column of texts) text += separator + quote(column[r] ?? "");
        text += "\n";
      }
      return text;
    },
  };
}

/** One JSON object a line. */
export function jsonLines(
  classes: readonly string[],
  kept: readonly KeptColumn[],
  write: Digits,
): LineWriter {
  const names = classes.map((name) => JSON.stringify(name));
  const keptNames = kept.map(({ name }) => JSON.stringify(name));
  return {
    header: "",
    lines: ({ rows, probabilities, texts }) => {
      const K = classes.length;
      let text = "";
      for (let r = 0; r < rows; r++) {
        const shares = names.map((name, k) => `${name}:${write(probabilities[r * K + k])}`);
        const copied = texts.map((column, t) => `,${keptNames[t]}:${jsonValue(column[r], kept[t].isNumber)}`);
        text += `{"prediction":${names[likeliest(probabilities, r * K, K)]},"probabilities":{${shares.join(",")}}${copied.join("")}}\n`;
      }
      return text;
    },
  };
}

/** A number as it stands where JSON knows it, any other value as a text. */
function jsonValue(text: string | null, isNumber: boolean): string {
  return isNumber && text !== null && /^-?\d/.test(text) ? String(Number(text)) : JSON.stringify(text);
}

/** The position of the largest of K numbers, the first where several are. */
export function likeliest(probabilities: Float64Array, start: number, K: number): number {
  let best = 0;
  for (let k = 1; k < K; k++) if (probabilities[start + k] > probabilities[start + best]) best = k;
  return best;
}

/** A field in quotes where it holds the separator, a quote or a line break (RFC 4180). */
function fieldQuoter(separator: string): (text: string) => string {
  const special = separator === "\t" ? /["\t\r\n]/ : /[",\r\n]/;
  return (text) => (special.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text);
}
