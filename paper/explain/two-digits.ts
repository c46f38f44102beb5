import type { Row, Table } from "conformant";
import { type Dataset, LABEL } from "../datasets/dataset.ts";

/** The images of two digits: training rows with their label, and test rows one by one. */
export interface TwoDigits {
  readonly training: Table;
  readonly test: readonly LabeledImage[];
}

export interface LabeledImage {
  /** Position among all test images. */
  readonly index: number;
  readonly label: string;
  /** Every pixel, 0 or 1. */
  readonly row: Row;
}

/** The rows of a dataset of images that show one of two digits; the bits are those of the whole dataset. */
export function pickTwoDigits(
  { training, test, testLabels }: Dataset,
  digits: readonly [string, string],
): TwoDigits {
  const { columns: schema } = training.schema;
  const at = schema.findIndex(({ name }) => name === LABEL);
  const label = schema[at];
  if (label?.kind !== "categorical") throw new Error("the images have no label");
  const codes = digits.map((digit) => label.values.indexOf(digit));
  const kept = Int32Array.from(training.columns[at].keys()).filter((r) =>
    codes.includes(training.columns[at][r]),
  );
  return {
    training: {
      schema: { columns: schema.map((column, i) => (i === at ? { ...label, values: digits } : column)) },
      rows: kept.length,
      columns: training.columns.map((cells, i) =>
        Int8Array.from(kept, (r) => (i === at ? codes.indexOf(cells[r]) : cells[r])),
      ),
      unseen: [],
    },
    test: testLabels.flatMap((own, index) =>
      digits.includes(own) ? [{ index, label: own, row: rowAt(test, index) }] : [],
    ),
  };
}

function rowAt({ schema, columns }: Table, index: number): Row {
  return Object.fromEntries(schema.columns.map(({ name }, i) => [name, columns[i][index]]));
}
