import type { Column, Schema } from "conformant";
import { isMissing } from "conformant/internal";
import { type NumberStyle, readNumberText, trimText } from "conformant/texts";
import type { ColumnCounts, Counted, TextScreen } from "../columns/column-counts.ts";
import { NumberTally, TextTally } from "../columns/column-counts.ts";
import { type NumberEvidence, numberEvidence } from "../columns/number-evidence.ts";
import { GAP, INVALID } from "../source/cell-codes.ts";
import { cleanText } from "../source/clean-text.ts";
import { LARGEST, neededValue } from "../source/needed-value.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import { quoted } from "../source/quoted.ts";
import type { Remedies } from "../source/remedies.ts";
import { TableError } from "../source/table-error.ts";
import type { CodedRows, SoughtCell, TableSource } from "../source/table-source.ts";
import {
  bitsOf,
  categoriesOf,
  countTexts,
  type MemoryCells,
  type MemoryField,
  memoryCells,
  numbersOf,
} from "./memory-field.ts";
import type { TextTable } from "./text-table.ts";

/** Rows at the beginning that tell whether the values of a column are worth counting. */
const FIRST_ROWS = 100_000;

/** A table in memory that can be asked about its columns. */
export function memorySource(table: TextTable, remedies: Remedies): TableSource<MemoryCells> {
  const fieldOf = (cells: MemoryCells, name: string): MemoryField => cells.fields.get(name) as MemoryField;
  return {
    name: table.name,
    columns: table.columns,
    remote: false,
    mayHaveCommas: table.mayHaveCommas,
    mostCounted: Number.POSITIVE_INFINITY,
    memoryBudget: Number.POSITIVE_INFINITY,
    remedies,
    prepare: async () => undefined,
    cells: (names, rules) => memoryCells(table, names, rules),
    count: async (cells, names, bins) =>
      countFields(
        table,
        names.map((name) => fieldOf(cells, name)),
        bins,
      ),
    evidence: async (cells, names) => names.map((name) => evidenceOf(fieldOf(cells, name))),
    beginning: async (cells, names, rows) =>
      names.map((name) => {
        const { texts, codes } = fieldOf(cells, name);
        return Array.from(codes.subarray(0, rows), (code) => (code < 0 ? null : texts[code]));
      }),
    findManyValued: async (cells, most) =>
      [...cells.fields.values()]
        .filter(({ storage, codes }) => storage === "text" && distinct(codes.subarray(0, FIRST_ROWS)) > most)
        .map(({ name }) => name),
    screen: async (cells, name, style) => screenField(fieldOf(cells, name), style),
    strays: async (cells, names) =>
      new Map(
        names
          .map((name) => [name, straysOf(cells.fields.get(name))] as const)
          .filter(([, { size }]) => size > 0),
      ),
    find: async (cells, name, sought) => findCell(fieldOf(cells, name), sought),
    rows: (cells, schema) => codedRows(table, cells, schema, remedies),
  };
}

function distinct(codes: Int32Array): number {
  const seen = new Set(codes);
  return seen.size - (seen.has(-1) ? 1 : 0);
}

/** Counts the values of fields as an engine does: gaps first, then numbers in ascending order, then what is none. */
function countFields(table: TextTable, fields: readonly MemoryField[], bins: number): ColumnCounts {
  const columns = new Map<string, Counted>();
  for (const field of fields) {
    const nul = field.texts.find((text) => text.includes("\0"));
    if (nul !== undefined)
      throw new TableError(
        "invalid-value",
        `${quoted(table.name)}, column ${quoted(field.name)}: expected a text without NUL characters, got ${quoted(nul)}`,
        { hint: "the data may be damaged there" },
      );
    columns.set(
      field.name,
      field.storage === "number" ? tallyNumbers(table, field, bins) : tallyTexts(field),
    );
  }
  return { rows: table.rows, columns };
}

function tallyTexts(field: MemoryField): Counted {
  const tally = new TextTally(field.gaps, Number.POSITIVE_INFINITY);
  countTexts(field).forEach((count, place) => {
    if (count > 0) tally.add(Number.NaN, field.texts[place], count);
  });
  return tally.finish();
}

function tallyNumbers({ rows }: TextTable, field: MemoryField, bins: number): Counted {
  const [counts, numbers] = [countTexts(field), numbersOf(field)];
  const tally = new NumberTally(bins, rows);
  const present = [...counts.keys()].filter((place) => counts[place] > 0);
  const known = present.filter((place) => !Number.isNaN(numbers[place]));
  const gaps = rows - known.reduce((sum, place) => sum + counts[place], 0);
  if (gaps > 0) tally.add(Number.NaN, null, gaps);
  for (const place of known.sort((a, b) =>
    numbers[a] < numbers[b] ? -1 : numbers[a] > numbers[b] ? 1 : 0,
  )) {
    const isNumber = numbers[place] < Number.POSITIVE_INFINITY;
    tally.add(numbers[place], isNumber ? null : field.texts[place], counts[place]);
  }
  return tally.finish();
}

/** The evidence of a column counts its cells, so that each different text counts as often as it occurs. */
function evidenceOf(field: MemoryField): NumberEvidence {
  const counts = countTexts(field);
  const total = { comma: 0, pointGroups: 0, point: 0, commaGroups: 0, eitherComma: 0, eitherPoint: 0 };
  field.texts.forEach((text, place) => {
    if (!/[.,]/.test(text)) return;
    const own = numberEvidence([text]);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += own[key] * counts[place];
  });
  return total;
}

function screenField(field: MemoryField, style: NumberStyle): TextScreen {
  const screen = { known: 0, distinct: 0, shortest: 0, longest: 0, numbers: 0, example: "" };
  const counts = countTexts(field);
  const seen = new Set<string>();
  field.texts.forEach((text, place) => {
    const clean = cleanText(text, field.gaps);
    if (clean === undefined || counts[place] === 0) return;
    const length = [...clean].length;
    const isFirst = seen.size === 0;
    seen.add(clean);
    screen.known += counts[place];
    screen.shortest = isFirst ? length : Math.min(screen.shortest, length);
    screen.longest = Math.max(screen.longest, length);
    if (readNumberText(clean, style) !== undefined) screen.numbers += counts[place];
    if (isFirst || clean < screen.example) screen.example = clean;
  });
  return { ...screen, name: field.name, distinct: seen.size };
}

function straysOf(field: MemoryField | undefined): Map<string, number> {
  if (!field?.style || field.storage !== "number") return new Map();
  const [counts, numbers] = [countTexts(field), numbersOf(field)];
  const strays = field.texts.flatMap((text, place) =>
    numbers[place] === Number.POSITIVE_INFINITY && counts[place] > 0
      ? [[trimText(text), counts[place]] as const]
      : [],
  );
  return new Map(strays.sort(([, a], [, b]) => b - a));
}

function findCell(field: MemoryField, sought: SoughtCell): { readonly row: number; readonly text: string } {
  const isSought = soughtTexts(field, sought);
  const row = field.codes.findIndex((code) => (code < 0 ? sought === "gap" : isSought(code)));
  return { row: row + 1, text: row < 0 ? "" : trimText(field.texts[field.codes[row]] ?? "") };
}

function soughtTexts(field: MemoryField, sought: SoughtCell): (code: number) => boolean {
  if (sought === "gap") return (code) => cleanText(field.texts[code], field.gaps) === undefined;
  if (sought === "no-number") {
    const numbers = numbersOf(field);
    return (code) => numbers[code] === Number.POSITIVE_INFINITY;
  }
  const pattern = new RegExp(`^(?:${sought.pattern})$`);
  return (code) => pattern.test(trimText(field.texts[code]));
}

/** All rows at once, in the codes of a schema. */
async function* codedRows(
  table: TextTable,
  cells: MemoryCells,
  schema: Schema,
  remedies: Remedies,
): AsyncGenerator<CodedRows> {
  const coded = schema.columns.map((column) =>
    codeColumn(table, cells.fields.get(column.name), column, remedies),
  );
  const columns = schema.columns.map((column, c) =>
    isIndicatorColumn(column)
      ? markMissing(coded[schema.columns.findIndex(({ name }) => name === column.gapOf)])
      : coded[c],
  );
  const fields = schema.columns.map(({ name }) => cells.fields.get(name));
  const text = (column: number, row: number): string | null => {
    const field = fields[column];
    return field?.texts[field.codes[row]] ?? null;
  };
  yield { rows: table.rows, start: 0, columns, text };
}

/** The indicator of a column's missing values: 1 where missing, 0 where known. */
function markMissing(cells: Float64Array | Int32Array): Int8Array {
  return Int8Array.from({ length: cells.length }, (_, r) => Number(isMissing(cells, r)));
}

function codeColumn(
  { name: table, rows }: TextTable,
  field: MemoryField | undefined,
  column: Column,
  remedies: Remedies,
): Float64Array | Int32Array {
  const isNumeric = column.kind === "numeric";
  if (!field) return isNumeric ? new Float64Array(rows).fill(Number.NaN) : new Int32Array(rows).fill(GAP);
  const meanings = isNumeric ? numbersOf(field) : codesOf(field, column);
  const gap = isNumeric ? Number.NaN : GAP;
  const isWrong = (meaning: number): boolean =>
    isNumeric ? Math.abs(meaning) > LARGEST : meaning === INVALID;
  const bad = field.codes.findIndex((code) => code >= 0 && isWrong(meanings[code]));
  if (bad >= 0) {
    const text = field.texts[field.codes[bad]];
    throw new TableError(
      "invalid-value",
      `${quoted(table)}, row ${bad + 1}, column ${quoted(column.name)}: expected ${neededValue(column, text)} or nothing, got ${quoted(text)}`,
      { hint: remedies.wrongValue(text) },
    );
  }
  const coded = isNumeric ? new Float64Array(rows) : new Int32Array(rows);
  for (let r = 0; r < rows; r++) coded[r] = field.codes[r] < 0 ? gap : meanings[field.codes[r]];
  return coded;
}

/** What each different text of a field is in a discrete column. */
function codesOf(field: MemoryField, column: Column): Int32Array {
  if (column.kind === "categorical") return categoriesOf(field, column.values);
  if (column.kind === "binary") return bitsOf(field);
  const edges = column.kind === "binned" ? column.edges : [];
  return Int32Array.from(numbersOf(field), (number) => {
    if (Number.isNaN(number)) return GAP;
    const bin = edges.findIndex((edge) => number < edge);
    return number === Number.POSITIVE_INFINITY ? INVALID : bin < 0 ? edges.length : bin;
  });
}
