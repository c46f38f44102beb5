import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../fixtures/recorded-answers/", import.meta.url));

/** Answers may differ by this share: another order of additions, another path through the same formula. */
const RELATIVE = 1e-12;

/** Differences of numbers near 1 may vanish; what is left of them is rounding. */
const ROUNDING = 1e-14;

/** Questions whose answers are no differences: small probabilities have all their digits. */
const NO_DIFFERENCES = /^(predict|predictColumns|classify|classifyRows|answerRows|conformant[/]predict)\b/;

/** Distances from an optimum and estimated errors: they say how good a number is and are rounding themselves. */
const RESIDUALS = new Set([
  "conformityError",
  "decrement",
  "error",
  "gradientNorm",
  "marginalMismatch",
  "momentMismatch",
]);

/** Residuals may become smaller, or ten times as large, and below this they are equally good. */
const GOOD = 1e-10;

/** Whether answers are to be written instead of compared. */
export const recording = process.env.RECORD === "1";

/** An answer as JSON has it, or a number that JSON does not have as text. */
export type Recorded =
  | null
  | boolean
  | number
  | string
  | readonly Recorded[]
  | { readonly [key: string]: Recorded };

/** An answer as it is recorded: typed arrays as arrays, numbers with 15 digits, without fields that are undefined. */
export function recordable(answer: unknown): Recorded {
  if (typeof answer === "number")
    return Number.isFinite(answer) ? Number(answer.toPrecision(15)) : String(answer);
  if (answer === undefined) return "undefined";
  if (answer === null || typeof answer === "boolean" || typeof answer === "string") return answer;
  if (ArrayBuffer.isView(answer)) return Array.from(answer as unknown as Iterable<number>, recordable);
  if (Array.isArray(answer)) return answer.map(recordable);
  if (typeof answer !== "object") throw new Error(`cannot record a ${typeof answer}`);
  return Object.fromEntries(
    Object.entries(answer)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, recordable(value)]),
  );
}

/**
 * The first place at which an answer differs from the recorded one, undefined where there is none.
 *
 * @param rounding absolute differences up to this count as none
 */
export function difference(
  recorded: Recorded,
  answer: Recorded,
  rounding = ROUNDING,
  at = "",
): string | undefined {
  const field = at.slice(at.lastIndexOf(".") + 1);
  if (typeof recorded === "number" && typeof answer === "number") {
    const same = RESIDUALS.has(field)
      ? answer <= Math.max(GOOD, 10 * recorded)
      : Math.abs(recorded - answer) <=
        Math.max(rounding, RELATIVE * Math.max(Math.abs(recorded), Math.abs(answer)));
    return same ? undefined : `${at || "the answer"} is ${answer}, recorded ${recorded}`;
  }
  if (isList(recorded) && isList(answer)) {
    if (recorded.length !== answer.length)
      return `${at}.length is ${answer.length}, recorded ${recorded.length}`;
    for (const [i, item] of recorded.entries()) {
      const found = difference(item, answer[i], rounding, `${at}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isRecord(recorded) && isRecord(answer)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(answer)])) {
      const where = at === "" ? key : `${at}.${key}`;
      if (!Object.hasOwn(answer, key)) return `${where} is absent, recorded ${JSON.stringify(recorded[key])}`;
      if (!Object.hasOwn(recorded, key))
        return `${where} is ${JSON.stringify(answer[key])}, recorded is none`;
      const found = difference(recorded[key], answer[key], rounding, where);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (recorded === answer) return undefined;
  return `${at || "the answer"} is ${JSON.stringify(answer)}, recorded ${JSON.stringify(recorded)}`;
}

const isList = (value: Recorded): value is readonly Recorded[] => Array.isArray(value);
const isRecord = (value: Recorded): value is { readonly [key: string]: Recorded } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The text of a recorded model, undefined where there is none. */
export function readModelText(name: string): string | undefined {
  const path = modelPath(name);
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd() : undefined;
}

export function writeModelText(name: string, text: string): void {
  mkdirSync(join(FOLDER, "models"), { recursive: true });
  writeFileSync(modelPath(name), `${text}\n`);
}

const modelPath = (name: string): string => join(FOLDER, "models", `${name}.json`);

/** Entries of one file of answers, by question. */
export class Answers {
  readonly #path: string;
  readonly #entries: Map<string, Recorded>;
  #changed = false;

  constructor(name: string) {
    this.#path = join(FOLDER, "answers", `${name}.json`);
    const text = existsSync(this.#path) ? readFileSync(this.#path, "utf8") : "{}";
    this.#entries = new Map(Object.entries(JSON.parse(text) as Record<string, Recorded>));
  }

  get questions(): string[] {
    return [...this.#entries.keys()];
  }

  /** What is wrong with the answer to a question. In a recording run the new answer is kept and nothing is wrong. */
  check(question: string, answer: Recorded): string | undefined {
    const recorded = this.#entries.get(question);
    const rounding = NO_DIFFERENCES.test(question) ? 0 : ROUNDING;
    const found = recorded === undefined ? "no answer is recorded" : difference(recorded, answer, rounding);
    if (found === undefined || !recording) return found;
    // An answer that is the same up to rounding stays as it was, so that a diff has nothing but changes.
    this.#entries.set(question, answer);
    this.#changed = true;
    return undefined;
  }

  remove(question: string): void {
    this.#entries.delete(question);
    this.#changed = true;
  }

  /** Writes what was recorded: a line for each question or, where the answer is a list, for each of its items. */
  save(order: readonly string[]): void {
    if (!this.#changed) return;
    const known = order.filter((question) => this.#entries.has(question));
    const entries = known.map((question) => {
      const answer = this.#entries.get(question) as Recorded;
      const text =
        isList(answer) && answer.length > 0 && typeof answer[0] === "object"
          ? `[\n${answer.map((item) => JSON.stringify(item)).join(",\n")}\n]`
          : JSON.stringify(answer);
      return `${JSON.stringify(question)}: ${text}`;
    });
    mkdirSync(join(FOLDER, "answers"), { recursive: true });
    writeFileSync(this.#path, `{\n${entries.join(",\n")}\n}\n`);
  }
}
