import { categoryFinder, isMissingText, readNumberText, trimText } from "conformant/texts";
import { GAP, INVALID, UNSEEN } from "../source/cell-codes.ts";
import { cleanText } from "../source/clean-text.ts";
import { positionOf } from "../source/positions.ts";
import {
  type CellField,
  type CellReading,
  type CellRules,
  gapsOf,
  timeStyle,
} from "../source/table-source.ts";
import type { TextColumn, TextTable } from "./text-table.ts";

/** A column as its cells are read. What follows from a text is found once for each different one. */
export interface MemoryField extends CellField {
  /** The different texts as they stand. */
  readonly texts: readonly string[];
  /** Of each row the position of its text, −1 where it has none. */
  readonly codes: Int32Array;
}

export interface MemoryCells extends CellReading {
  readonly fields: ReadonlyMap<string, MemoryField>;
}

/** The named columns of a table in memory, read by rules. */
export function memoryCells(table: TextTable, names: readonly string[], rules: CellRules): MemoryCells {
  const fields = new Map<string, MemoryField>();
  for (const name of names) {
    const column = table.columns.find((own) => own.name === name);
    const field = column ? wholeField(column, rules) : letterField(table, name);
    if (field) fields.set(name, field);
  }
  return { fields };
}

function wholeField(column: TextColumn, rules: CellRules): MemoryField | undefined {
  const { name, storage, texts, codes } = column;
  if (storage === "other") return undefined;
  if (storage === "time") {
    const style = rules.numbers?.has(name) ? timeStyle(column) : undefined;
    return style && { name, storage: "number", gaps: rules.gaps, texts, codes, style };
  }
  const known = rules.categories?.get(name) ?? [];
  const gaps = gapsOf(name, rules).filter((gap) => !known.includes(gap));
  const field = { name, storage, gaps, texts, codes };
  if (rules.texts?.includes(name)) return { ...field, storage: "text" };
  const style = storage === "text" ? rules.numbers?.get(name) : undefined;
  return style ? { ...field, storage: "number", style } : field;
}

/** One letter of a sequence; what is beyond its end is a gap. */
function letterField(table: TextTable, name: string): MemoryField | undefined {
  const { sequence, position = 0 } = positionOf(name) ?? {};
  const column = table.columns.find((own) => own.name === sequence && own.storage === "text");
  if (!column) return undefined;
  const letters = column.texts.map((text) => [...trimText(text)][position - 1]);
  const texts = [...new Set(letters.filter((letter) => letter !== undefined))];
  const places = letters.map((letter) => (letter === undefined ? -1 : texts.indexOf(letter)));
  const codes = column.codes.map((code) => (code < 0 ? -1 : places[code]));
  return { name, storage: "text", gaps: [], texts, codes };
}

/** What each different text of a field is as a number: NaN for a gap, infinity for what is no number. */
export function numbersOf({ storage, texts, gaps, style }: MemoryField): Float64Array {
  const missing = gaps.flatMap((gap) => readNumberText(gap) ?? []);
  if (storage === "boolean") return Float64Array.from(texts, (text) => (text === "true" ? 1 : 0));
  return Float64Array.from(texts, (text) => {
    const number = storage === "number" && !style ? Number(text) : readNumberText(text, style);
    if (number === undefined)
      return isMissingText(trimText(text), gaps) ? Number.NaN : Number.POSITIVE_INFINITY;
    return missing.includes(number) ? Number.NaN : number;
  });
}

/** What each different text of a field is as a category: its position among the values. */
export function categoriesOf({ texts, gaps }: MemoryField, values: readonly string[]): Int32Array {
  const find = categoryFinder(values);
  const exact = new Map(values.map((value, code) => [value, code]));
  return Int32Array.from(texts, (text) => {
    const code = exact.get(text);
    if (code !== undefined) return code;
    const clean = cleanText(text, gaps);
    return clean === undefined ? GAP : (find(clean) ?? UNSEEN);
  });
}

/** What each different text of a field is as 0 or 1. */
export function bitsOf(field: MemoryField): Int32Array {
  if (field.storage !== "text")
    return Int32Array.from(numbersOf(field), (number) =>
      Number.isNaN(number) ? GAP : number === 0 || number === 1 ? number : INVALID,
    );
  return Int32Array.from(field.texts, (text) => {
    const clean = cleanText(text, field.gaps);
    if (clean === undefined) return GAP;
    if (/^(?:1|1\.0|true)$/i.test(clean)) return 1;
    return /^(?:0|0\.0|false)$/i.test(clean) ? 0 : INVALID;
  });
}

/** How often each different text occurs, in their order. */
export function countTexts({ texts, codes }: MemoryField): Float64Array {
  const counts = new Float64Array(texts.length);
  for (let r = 0; r < codes.length; r++) if (codes[r] >= 0) counts[codes[r]]++;
  return counts;
}
