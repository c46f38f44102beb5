import { ConformantError, didYouMean, LARGEST, show, showNames } from "../errors.ts";
import { isDiscrete } from "./column.ts";
import {
  type ColumnSource,
  type Columns,
  cell,
  type Data,
  isDictionary,
  isMissingValue,
  isTable,
  lookUp,
  namesOfData,
  type Row,
  readData,
  type Table,
} from "./data.ts";

/** The label column of some data. */
export interface Labels {
  /** The classes in order: those that occur, or for a table those of its label column. */
  readonly classes: readonly string[];
  /** Per row the position of its class, −1 where the label is missing. */
  readonly codes: Int32Array;
}

/** Reads the label column; it must exist and have two or more classes. */
export function readLabels(given: Data, label: string): Labels {
  const data = readData(given);
  requireLabel(data, label);
  const texts = labelTexts(data, label);
  const occurring = new Set(texts.filter((name) => name !== null));
  if (occurring.size < 2) {
    const got = occurring.size === 1 ? `only ${show([...occurring][0])}` : "none";
    const message = `label ${show(label)} must have two or more classes, got ${got}`;
    throw new ConformantError("single-class", message, { argument: "options.label", column: label });
  }
  // Part of a table may lack a class, and codes of different parts agree only if all parts have the same classes.
  const classes = sortLabels([...occurring, ...(isTable(data) ? namesOf(data, label) : [])]);
  const codeOf = new Map<string | null, number>(classes.map((name, k) => [name, k]));
  return { classes, codes: Int32Array.from(texts, (name) => codeOf.get(name) ?? -1) };
}

/** Throws unless the data has the label column. */
function requireLabel(data: Exclude<Data, ColumnSource>, label: string): void {
  if (typeof label !== "string" || !hasColumn(data, label)) {
    const names = isTable(data) ? data.schema.columns.map(({ name }) => name) : namesOfData(data);
    const message = `options.label names ${show(label)}, which the data does not have; it has ${showNames(names)}`;
    throw new ConformantError("unknown-column", `${message}${didYouMean(String(label), names)}`, {
      argument: "options.label",
      column: String(label),
    });
  }
}

/** Reads a column of numbers to be learned, one per row and NaN where it is missing; it must exist and have two or more distinct numbers. */
export function readNumbers(given: Data, label: string): Float64Array {
  const data = readData(given);
  requireLabel(data, label);
  const texts = labelTexts(data, label);
  const numbers = Float64Array.from(texts, (name) =>
    name === null || name.trim() === "" ? Number.NaN : Number(name),
  );
  const bad = texts.findIndex((name, r) => name !== null && !(Math.abs(numbers[r]) <= LARGEST));
  if (bad >= 0) {
    const message = `label ${show(label)} must hold numbers for a regressor, got ${show(texts[bad])} in row ${bad}`;
    throw new ConformantError("invalid-value", message, { column: label, row: bad, value: texts[bad] });
  }
  const distinct = new Set(numbers.filter((number) => !Number.isNaN(number)));
  if (distinct.size < 2) {
    const got = distinct.size === 1 ? `only ${[...distinct][0]}` : "none";
    const message = `label ${show(label)} must have two or more distinct numbers, got ${got}`;
    throw new ConformantError("single-class", message, { argument: "options.label", column: label });
  }
  return numbers;
}

/** The label of every row as text, null where missing. */
function labelTexts(data: Data, label: string): (string | null)[] {
  if (Array.isArray(data)) return (data as readonly Row[]).map((row) => text(cell(row, label)));
  if (isTable(data as Data)) return tableTexts(data as Table, label);
  const source = (data as Columns)[label];
  if (!isDictionary(source)) return Array.from(source, text);
  return Array.from(source.codes, (_, r) => text(lookUp(label, source, r)));
}

function tableTexts(table: Table, label: string): (string | null)[] {
  const at = table.schema.columns.findIndex(({ name }) => name === label);
  const column = table.schema.columns[at];
  const cells = table.columns[at];
  if (!isDiscrete(column)) return Array.from(cells, text);
  const names = column.kind === "categorical" ? column.values : undefined;
  return Array.from(cells, (code) => (code < 0 ? null : (names?.[code] ?? String(code))));
}

/** The possible values of a table's label column, where it lists them. */
function namesOf({ schema }: Table, label: string): readonly string[] {
  const column = schema.columns.find(({ name }) => name === label);
  return column?.kind === "categorical" ? column.values : [];
}

function text(value: unknown): string | null {
  return isMissingValue(value) ? null : String(value);
}

function hasColumn(data: Data, name: string): boolean {
  if (Array.isArray(data)) return (data as readonly Row[]).some((row) => Object.hasOwn(row, name));
  if (isTable(data as Data)) return (data as Table).schema.columns.some((column) => column.name === name);
  return Object.hasOwn(data, name);
}

/** Distinct labels in a stable order: numerically where all are numbers, otherwise by code unit. */
export function sortLabels(labels: Iterable<string>): string[] {
  if (typeof (labels as Partial<Iterable<string>> | null)?.[Symbol.iterator] !== "function")
    rejectLabels(labels);
  const distinct = [...new Set(labels)];
  if (!distinct.every((label) => typeof label === "string")) rejectLabels(labels);
  const numeric = distinct.every((label) => label.trim() !== "" && Number.isFinite(Number(label)));
  return distinct.sort(numeric ? (a, b) => Number(a) - Number(b) || compare(a, b) : compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rejectLabels(labels: unknown): never {
  const message = `labels must be texts, got ${show(labels)}`;
  throw new ConformantError("invalid-argument", message, { argument: "labels", value: labels });
}
