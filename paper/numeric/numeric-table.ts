import type { Column, EncodedColumn, Table } from "conformant";
import { labelColumn, type RawColumn, type RawDataset } from "../datasets/build-table.ts";
import { shuffle } from "../protocol/shuffle.ts";

/** A table with its numbers as they are, divided. */
export interface NumericTable {
  readonly title: string;
  /** The features and, last, the class. */
  readonly training: Table;
  /** The features. */
  readonly test: Table;
  /** The classes of the test rows. */
  readonly testLabels: readonly string[];
}

/** Takes at most so many training and test rows at random; values of categories come from all training rows. */
export function numericTable(
  raw: Omit<RawDataset, "name">,
  most: { readonly training: number; readonly test: number },
  seed: number,
): NumericTable {
  const pick = (rows: readonly number[], count: number): number[] =>
    Array.from(shuffle(rows.length, seed).subarray(0, count), (r) => rows[r]);
  const [training, test] = [pick(raw.training, most.training), pick(raw.test, most.test)];
  const encoded = raw.columns.map((column) => encodeColumn(column, training));
  const take = (rows: readonly number[]): Pick<Table, "rows" | "columns" | "unseen"> => ({
    rows: rows.length,
    columns: encoded.map(({ cells }) => takeCells(cells, rows)),
    unseen: [],
  });
  const columns = encoded.map(({ column }) => column);
  const label = labelColumn(training.map((r) => raw.labels[r]));
  const own = take(training);
  return {
    title: raw.title,
    training: {
      ...own,
      schema: { columns: [...columns, label.column] },
      columns: [...own.columns, label.cells],
    },
    test: { ...take(test), schema: { columns } },
    testLabels: test.map((r) => raw.labels[r]),
  };
}

function takeCells(cells: EncodedColumn, rows: readonly number[]): EncodedColumn {
  const out = cells instanceof Float64Array ? new Float64Array(rows.length) : new Int32Array(rows.length);
  rows.forEach((r, at) => {
    out[at] = cells[r];
  });
  return out;
}

/** A value that no training row has is taken for the first one, so that the classifier sees complete rows. */
function encodeColumn(
  raw: RawColumn,
  training: readonly number[],
): { column: Column; cells: Float64Array | Int32Array } {
  const { name } = raw;
  if ("numbers" in raw) return { column: { name, kind: "numeric" }, cells: Float64Array.from(raw.numbers) };
  const values = [...new Set(training.map((r) => raw.texts[r]))].sort();
  const codeOf = new Map(values.map((value, code) => [value, code]));
  return {
    column: { name, kind: "categorical", values },
    cells: Int32Array.from(raw.texts, (text) => codeOf.get(text) ?? 0),
  };
}
