import type { Column, Value } from "conformant";
import { readNumberText } from "conformant/texts";
import { listed, quoted } from "../errors.ts";

/** Words for an unknown value, besides an empty answer. */
const UNKNOWN = ["unknown", "?", "na", "nan", "null"];

/** A value as a user typed it: null where it is unknown, or what was expected instead. */
export type Answer = { readonly value: Value } | { readonly expected: string };

/** Reads a value of a column. A category named "unknown" means that category; case is ignored where that is unambiguous. */
export function readAnswer(column: Column, text: string): Answer {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  if (column.kind === "categorical") {
    const same = column.values.filter((value) => value.toLowerCase() === lower);
    if (column.values.includes(trimmed)) return { value: trimmed };
    if (same.length === 1) return { value: same[0] };
  }
  if (trimmed === "" || UNKNOWN.includes(lower)) return { value: null };
  if (column.kind === "categorical") return { expected: `one of ${listed(column.values)}` };
  if (column.kind === "binary") return readBit(lower);
  const number = readNumberText(trimmed);
  return number === undefined ? { expected: "a number" } : { value: number };
}

function readBit(lower: string): Answer {
  if (["1", "yes", "true"].includes(lower)) return { value: 1 };
  return ["0", "no", "false"].includes(lower) ? { value: 0 } : { expected: "0 or 1" };
}

/** What was expected and what was given, as the end of a sentence. */
export function complaint(expected: string, text: string): string {
  return `expected ${expected} or nothing, got ${quoted(text)}`;
}
