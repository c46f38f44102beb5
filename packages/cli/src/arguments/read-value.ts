import { CliError } from "../errors.ts";
import type { Parsed } from "./command.ts";

/** A comma-separated list; a double-quoted item may hold a comma. */
export function readList(parsed: Parsed, option: string): string[] | undefined {
  const text = parsed.text(option);
  if (text === undefined) return undefined;
  const items = Array.from(
    text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g),
    ([, inQuotes, plain]) => (inQuotes === undefined ? (plain ?? "").trim() : inQuotes.replaceAll('""', '"')),
  );
  return items.filter((item) => item !== "");
}

/** A finite number, at least `least`. */
export function readNumber(parsed: Parsed, option: string, initially: number, least: number): number {
  const text = parsed.text(option);
  if (text === undefined) return initially;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number >= least) return number;
  throw new CliError("usage", `--${option} must be a number of at least ${least}, got "${text}"`);
}

/** A whole number, at least `least`. */
export function readInteger(parsed: Parsed, option: string, initially: number, least: number): number {
  const number = readNumber(parsed, option, initially, least);
  if (Number.isSafeInteger(number)) return number;
  throw new CliError(
    "usage",
    `--${option} must be a whole number of at least ${least}, got "${parsed.text(option)}"`,
  );
}

/** A list of numbers between 0 and 1. */
export function readShares(parsed: Parsed, option: string, initially: readonly number[]): readonly number[] {
  const items = readList(parsed, option);
  if (items === undefined) return initially;
  const shares = items.map(Number);
  const bad = shares.findIndex((share) => !(share >= 0 && share <= 1));
  if (items.length > 0 && bad < 0) return shares;
  throw new CliError("usage", `--${option} must be numbers from 0 to 1, got "${items[bad] ?? ""}"`);
}
