import type { Column, Table } from "conformant";
import { binarize, threshold } from "./binarize.ts";
import { type Dataset, LABEL } from "./dataset.ts";

/** A column before the split: numbers that become a bit, or text that becomes a one-hot group. */
export type RawColumn =
  | { readonly name: string; readonly numbers: ArrayLike<number> }
  | { readonly name: string; readonly texts: readonly string[]; readonly values?: readonly string[] };

/** All rows of a dataset, and which of them are for training. */
export interface RawDataset extends Pick<Dataset, "name" | "title"> {
  readonly columns: readonly RawColumn[];
  readonly labels: readonly string[];
  readonly training: readonly number[];
  readonly test: readonly number[];
}

/**
 * Encodes a dataset as the paper does. Thresholds and values come from the training rows alone; a value that only the
 * test rows have is a gap there, for every method alike.
 */
export function buildDataset(raw: RawDataset): Dataset {
  const encoded = raw.columns.map((column) => encodeColumn(column, raw.training));
  const take = (rows: readonly number[]): Pick<Table, "rows" | "columns" | "unseen"> => ({
    rows: rows.length,
    columns: encoded.map(({ cells }) => Int8Array.from(rows, (r) => cells[r])),
    unseen: [],
  });
  const columns = encoded.map(({ column }) => column);
  const label = labelColumn(raw.training.map((r) => raw.labels[r]));
  const training = take(raw.training);
  return {
    name: raw.name,
    title: raw.title,
    training: {
      ...training,
      schema: { columns: [...columns, label.column] },
      columns: [...training.columns, label.cells],
    },
    test: { ...take(raw.test), schema: { columns } },
    testLabels: raw.test.map((r) => raw.labels[r]),
  };
}

/** The class as a last, categorical column. */
export function labelColumn(labels: readonly string[]): { column: Column; cells: Int8Array } {
  const values = [...new Set(labels)].sort();
  const codeOf = new Map(values.map((value, code) => [value, code]));
  return {
    column: { name: LABEL, kind: "categorical", values },
    cells: Int8Array.from(labels, (label) => codeOf.get(label) ?? -1),
  };
}

function encodeColumn(raw: RawColumn, training: readonly number[]): { column: Column; cells: Int8Array } {
  if ("numbers" in raw) {
    const { name, numbers } = raw;
    const above = threshold(Float64Array.from(training, (r) => numbers[r]));
    return { column: { name, kind: "binary" }, cells: binarize(numbers, above) };
  }
  const values = raw.values ?? [...new Set(training.map((r) => raw.texts[r]))].sort();
  const codeOf = new Map(values.map((value, code) => [value, code]));
  const cells = Int8Array.from(raw.texts, (text) => codeOf.get(text) ?? -1);
  return { column: { name: raw.name, kind: "categorical", values }, cells };
}
