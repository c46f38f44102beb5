import { memoize } from "../cache.ts";
import { type Column, type IndicatorColumn, isIndicatorColumn, type Schema } from "./column.ts";
import { type EncodedColumn, isMissingCell, type Table } from "./data.ts";

/** The columns that some of the rows lack and others have. */
export function columnsWithGaps({ schema, columns }: Table, rows: Int32Array): Column[] {
  return schema.columns.filter((column, i) => {
    const gaps = rows.reduce((sum, r) => sum + Number(isMissingCell(columns[i], r)), 0);
    return gaps > 0 && gaps < rows.length && !isIndicatorColumn(column);
  });
}

/** An indicator column for each of some columns of a schema, by a name that the schema does not have. */
export function createIndicators(schema: Schema, columns: readonly Column[]): IndicatorColumn[] {
  const taken = new Set(schema.columns.map(({ name }) => name));
  return columns.map(({ name }) => ({
    name: freeName(`${name} is missing`, taken),
    kind: "binary",
    gapOf: name,
  }));
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  return taken.has(wanted) ? freeName(`${wanted}'`, taken) : wanted;
}

/** The indicator of a column's missing values: 1 where missing, 0 where known. */
export function markGaps(cells: EncodedColumn): Int8Array {
  return Int8Array.from({ length: cells.length }, (_, r) => Number(isMissingCell(cells, r)));
}

type Places = readonly (readonly [mark: number, marked: number])[];

const places = new WeakMap<Schema, Places>();

/** The positions of indicator columns in a schema, and of the columns they belong to. */
export function marksOf(schema: Schema): Places {
  return memoize(places, schema, findMarks);
}

function findMarks({ columns }: Schema): Places {
  return columns.flatMap((column, mark) =>
    isIndicatorColumn(column)
      ? [[mark, columns.findIndex(({ name }) => name === column.gapOf)] as const]
      : [],
  );
}

/** Position of the indicator of a column's missing values, where it has one. */
export function indicatorOf(schema: Schema, column: number): number | undefined {
  return marksOf(schema).find(([, marked]) => marked === column)?.[0];
}
