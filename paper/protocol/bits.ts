import { type Classifier, type Column, createClassifier, type EncodedColumn, type Table } from "conformant";

/**
 * The same rows with every value of a categorical column as a 0/1 column of its own, as the paper has them: there one-hot
 * bits are independent given the class. A gap in the column is a gap in each of its bits.
 *
 * @param keep a column to leave as it is: the label
 */
export function toBits(table: Table, keep?: string): Table {
  const pairs = table.schema.columns.flatMap((column, i): [Column, EncodedColumn][] => {
    const cells = table.columns[i];
    if (column.kind !== "categorical" || column.name === keep) return [[column, cells]];
    return column.values.map((value, code) => [
      { name: `${column.name}=${value}`, kind: "binary" },
      bitsOf(cells, code),
    ]);
  });
  return {
    ...table,
    schema: { columns: pairs.map(([column]) => column) },
    columns: pairs.map(([, cells]) => cells),
  };
}

function bitsOf(cells: EncodedColumn, code: number): Int8Array {
  const bits = new Int8Array(cells.length);
  for (let r = 0; r < cells.length; r++) bits[r] = cells[r] < 0 ? -1 : Number(cells[r] === code);
  return bits;
}

/** The classifier on bits: the weights are the same, since a one-hot group has one weight per value. */
export function classifierOfBits(classifier: Classifier, bits: Table): Classifier {
  return createClassifier({ ...classifier, schema: bits.schema });
}
