import { ConformantError, didYouMean, show, showNames } from "../errors.ts";
import { either, names, type OptionsOf, oneOf, readOption, readOptions, record } from "../options.ts";
import { type Column, type ColumnKind, checkSchema, type Schema } from "./column.ts";
import {
  type AnyRow,
  type Columns,
  cell,
  type Data,
  type EncodedColumn,
  isDictionary,
  isMissingCell,
  isMissingValue,
  isTable,
  lookUp,
  namesOfData,
  readData,
  type Table,
} from "./data.ts";
import { sortLabels } from "./labels.ts";

/** Options of {@link inferSchema}. */
export interface InferOptions {
  /** Use these columns, in this order. Default: every column of the data. */
  readonly columns?: readonly string[] | undefined;
  /** Drop these columns. */
  readonly exclude?: readonly string[] | undefined;
  /** Known kinds, which are not guessed. */
  readonly types?: Readonly<Record<string, "numeric" | "binary" | "categorical">> | undefined;
}

/** How {@link InferOptions} are read. */
export const inferOptions = {
  columns: names(undefined),
  exclude: names(undefined),
  types: /* @__PURE__ */ record(/* @__PURE__ */ oneOf(["numeric", "binary", "categorical"], undefined)),
} satisfies OptionsOf<InferOptions>;

/**
 * Guesses what each column is: numbers that are only ever 0 and 1 are binary, other numbers numeric, text and booleans
 * categorical with the values that occur. A column without a single value cannot be guessed and is an error.
 *
 *     inferSchema(rows, { exclude: ["outcome"] }).columns; // [{ name: "age", kind: "numeric" }, …]
 */
export function inferSchema(data: Data, given: InferOptions = {}): Schema {
  const options = readOptions(given, inferOptions);
  const { types = {} } = options;
  const own = readData(data);
  if (!Array.isArray(own) && isTable(own)) return pick(own, options);
  const sample = Array.isArray(own) ? columnsOfRows(own) : (own as Columns);
  const names = chosenNames(Object.keys(sample), options);
  for (const name of Object.keys(types)) {
    if (!Object.hasOwn(sample, name)) throw unknown("options.types", name, Object.keys(sample));
  }
  const kindOf = new Map(Object.entries(types));
  return checkSchema({ columns: names.map((name) => inferColumn(name, sample[name], kindOf.get(name))) });
}

function inferColumn(name: string, source: Columns[string], kind: ColumnKind | undefined): Column {
  // One number other than 0 and 1 settles the kind.
  if (!kind && source instanceof Float64Array && source.some((x) => !Number.isNaN(x) && x !== 0 && x !== 1))
    return { name, kind: "numeric" };
  const distinct = distinctValues(name, source);
  if (distinct.size === 0) {
    const message = `column ${show(name)} has no value in any row, so its type and distribution are unknown`;
    throw new ConformantError("empty-column", message, {
      column: name,
      hint: "leave the column out with { exclude }",
    });
  }
  const values = [...distinct];
  const guess = kind ?? guessKind(values);
  return guess === "categorical"
    ? { name, kind: guess, values: sortLabels(values.map(String)) }
    : ({ name, kind: guess } as Column);
}

function guessKind(values: readonly unknown[]): ColumnKind {
  if (values.every((v) => v === 0 || v === 1)) return "binary";
  return values.every((v) => typeof v === "number" || typeof v === "bigint") ? "numeric" : "categorical";
}

function distinctValues(name: string, source: Columns[string]): Set<unknown> {
  const distinct = new Set<unknown>();
  if (isDictionary(source)) {
    for (let r = 0; r < source.codes.length; r++) {
      const value = lookUp(name, source, r);
      if (!isMissingValue(value)) distinct.add(value);
    }
    return distinct;
  }
  for (let r = 0; r < source.length; r++) {
    const value: unknown = source[r];
    if (isMissingValue(value)) continue;
    if (typeof value === "object" || typeof value === "function" || typeof value === "symbol") {
      const message = `column ${show(name)}, row ${r}: must be a number, text or boolean, got ${show(value)}`;
      throw new ConformantError("invalid-value", message, { column: name, row: r, value });
    }
    distinct.add(value);
  }
  return distinct;
}

function columnsOfRows(rows: readonly AnyRow[]): Columns {
  return Object.fromEntries(namesOfData(rows).map((name) => [name, rows.map((row) => cell(row, name))]));
}

function chosenNames(available: readonly string[], { columns, exclude = [] }: InferOptions): string[] {
  for (const name of columns ?? [])
    if (!available.includes(name)) throw unknown("options.columns", name, available);
  for (const name of exclude)
    if (!available.includes(name)) throw unknown("options.exclude", name, available);
  return (columns ?? available).filter((name) => !exclude.includes(name));
}

/** The chosen columns of a table, encoded as the requested kinds. */
function pick({ schema, columns }: Table, options: InferOptions): Schema {
  const places = new Map(schema.columns.map(({ name }, at) => [name, at]));
  const names = chosenNames([...places.keys()], options);
  const { types = {} } = options;
  for (const name of Object.keys(types)) {
    if (!places.has(name)) throw unknown("options.types", name, [...places.keys()]);
  }
  const kindOf = new Map(Object.entries(types));
  return checkSchema({
    columns: names.map((name) => {
      const at = places.get(name) as number;
      const kind = kindOf.get(name);
      return kind === undefined || kind === schema.columns[at].kind
        ? schema.columns[at]
        : readAs(schema.columns[at], columns[at], kind);
    }),
  });
}

/** A column of a table as another kind. */
function readAs(column: Column, cells: EncodedColumn, kind: ColumnKind): Column {
  const { name } = column;
  if (column.kind === "binned") {
    const message = `options.types: column ${show(name)} is binned in the table and cannot be read as ${kind}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.types", column: name });
  }
  if (kind !== "categorical") return { name, kind } as Column;
  const known = Array.from(cells).filter((_, r) => !isMissingCell(cells, r));
  return { name, kind, values: sortLabels(known.map(String)) };
}

function unknown(argument: string, name: string, available: readonly string[]): ConformantError {
  const message = `${argument} names ${show(name)}, but the data has only ${showNames(available)}${didYouMean(name, available)}`;
  return new ConformantError("unknown-column", message, { argument, column: name });
}

/** Columns besides those that a classifier uses: their names, or all there are. */
export type AlsoOption = readonly string[] | "all";

/** For fits that may use columns which the classifier does not. */
export interface AlsoOptions {
  /**
   * Columns of the data that the classifier does not use, or "all" of them but its label. They get no weight, so that complete rows keep
   * the classifier's own answers, and help to infer missing values. Default: none.
   */
  readonly also?: AlsoOption | undefined;
}

/** How {@link AlsoOptions} are read. */
export const alsoOptions = {
  also: /* @__PURE__ */ either(/* @__PURE__ */ names(undefined), /* @__PURE__ */ oneOf(["all"], undefined)),
} satisfies OptionsOf<AlsoOptions>;

/**
 * The columns that an option names, as they are in the data.
 *
 * @param taken columns that exist already
 * @param others columns that "all" does not include: the label, and excluded ones
 */
export function alsoColumns(
  data: Data | Pick<Table, "schema">,
  options: AlsoOptions,
  taken: Schema,
  others: readonly (string | undefined)[],
): readonly Column[] {
  const also = readOption(options.also, alsoOptions.also, "options.also");
  if (also === undefined) return [];
  const known = isTable(data as Data) ? (data as Table).schema : undefined;
  const available = known ? known.columns.map(({ name }) => name) : namesOfData(data as Data);
  const own = new Set(taken.columns.map(({ name }) => name));
  const asked =
    also === "all"
      ? available.filter((name) => !own.has(name) && !others.includes(name))
      : [...new Set(also)];
  const twice = asked.find((name) => own.has(name));
  if (twice !== undefined) throw wrong(`names ${show(twice)}, which the classifier uses`, twice);
  const stranger = asked.find((name) => !available.includes(name));
  if (stranger !== undefined) {
    const what = `names ${show(stranger)}, but the data has only ${showNames(available)}${didYouMean(stranger, available)}`;
    throw wrong(what, stranger, "unknown-column");
  }
  if (asked.length === 0) return [];
  if (!known) return inferSchema(data as Data, { columns: asked }).columns;
  return asked.map((name) => known.columns[available.indexOf(name)]);
}

function wrong(
  what: string,
  value: unknown,
  code: "invalid-argument" | "unknown-column" = "invalid-argument",
): ConformantError {
  const argument = "options.also";
  return new ConformantError(code, `${argument} ${what}`, { argument, value });
}
