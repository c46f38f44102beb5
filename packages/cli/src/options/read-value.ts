import { CliError, quoted } from "../errors.ts";
import type { OptionSpec, Parsed } from "./command.ts";

/** The option for the random seed. */
export const seedOption: OptionSpec = {
  environment: true,
  group: "Advanced options",
  takes: "N",
  help: "random seed",
  initially: "0",
};

/** Splits a comma-separated list; a double-quoted item may contain a comma. */
export function readList(parsed: Parsed, option: string): string[] | undefined {
  const text = parsed.text(option);
  if (text === undefined) return undefined;
  const items = Array.from(
    text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g),
    ([, inQuotes, plain]) => (inQuotes === undefined ? (plain ?? "").trim() : inQuotes.replaceAll('""', '"')),
  );
  return items.filter((item) => item !== "");
}

/** A decimal number: `12`, `-0.5`, `.5`, `1e-3`. */
const DECIMAL = /^[-+]?(?:\d+[.]?\d*|[.]\d+)(?:e[-+]?\d+)?$/i;

/** The number in a text; NaN for other texts, such as `0x10` and the empty one. */
export function numberIn(text: string): number {
  const plain = text.trim().replace("−", "-");
  return DECIMAL.test(plain) ? Number(plain) : Number.NaN;
}

/** The largest number that the library accepts. */
const LARGEST = 1e100;

/** A finite number, at least `least` and at most `most`. */
export function readNumber(
  parsed: Parsed,
  option: string,
  initially: number,
  least: number,
  most = LARGEST,
): number {
  return readInRange(parsed, option, initially, { what: "a number", isOne: Number.isFinite, least, most });
}

/** A whole number, at least `least` and at most `most`. */
export function readInteger(
  parsed: Parsed,
  option: string,
  initially: number,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const range = { what: "a whole number", isOne: Number.isSafeInteger, least, most };
  return readInRange(parsed, option, initially, range);
}

/** Reads numbers within a range. */
interface Range {
  readonly what: string;
  readonly isOne: (number: number) => boolean;
  readonly least: number;
  readonly most: number;
}

function readInRange(
  parsed: Parsed,
  option: string,
  initially: number,
  { what, isOne, least, most }: Range,
): number {
  const text = parsed.text(option);
  if (text === undefined) return initially;
  const number = numberIn(text);
  if (isOne(number) && number >= least && number <= most) return number;
  const range = most >= LARGEST && !(number > most) ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new CliError("usage", `${parsed.nameOf(option)} must be ${what} ${range}, got ${quoted(text)}`);
}

/** A probability strictly between 0 and 1. */
export function readProbability(parsed: Parsed, option: string, initially: number): number {
  const text = parsed.text(option);
  if (text === undefined) return initially;
  const probability = numberIn(text);
  if (probability > 0 && probability < 1) return probability;
  throw new CliError("usage", `--${option} must be a probability between 0 and 1, got ${quoted(text)}`);
}

/** A list of numbers between 0 and 1. */
export function readShares(parsed: Parsed, option: string, initially: readonly number[]): readonly number[] {
  const items = readList(parsed, option);
  if (items === undefined) return initially;
  const shares = items.map(numberIn);
  const bad = shares.findIndex((share) => !(share >= 0 && share <= 1));
  if (items.length > 0 && bad < 0) return shares;
  throw new CliError("usage", `--${option} must be numbers from 0 to 1, got ${quoted(items[bad] ?? "")}`);
}
