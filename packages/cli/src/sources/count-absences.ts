import { type ColumnAbsence, type ColumnSummary, GAP, isIndicatorColumn, UNSEEN } from "conformant-workbench";
import { readRows } from "./read-rows.ts";
import type { Selection } from "./select-predictions.ts";

/** The rows of a source, and how many are missing, or have an unknown category or a number beyond those of training, in each column of a model, in one pass. */
export async function countAbsences(
  { connector, fields, model }: Selection,
  summaries: readonly ColumnSummary[],
): Promise<{
  readonly rows: number;
  readonly columns: readonly ColumnAbsence[];
}> {
  const own = model.schema.columns.filter((column) => !isIndicatorColumn(column));
  const [missing, unseen] = [new Float64Array(own.length), new Float64Array(own.length)];
  const known = new Map(summaries.map((summary) => [summary.name, summary]));
  const ranges = own.map(({ name }) => {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = known.get(name) ?? {};
    return [minimum, maximum];
  });
  let rows = 0;
  for await (const batch of readRows(connector, fields, { columns: own })) {
    rows += batch.rows;
    for (let c = 0; c < own.length; c++) {
      const isNumber = own[c].kind === "numeric";
      const [minimum, maximum] = ranges[c];
      const cells = batch.columns[c] as Float64Array | Int32Array;
      for (let r = 0; r < batch.rows; r++) {
        if (isNumber ? Number.isNaN(cells[r]) : cells[r] === GAP) missing[c]++;
        else if (isNumber ? cells[r] < minimum || cells[r] > maximum : cells[r] === UNSEEN) unseen[c]++;
      }
    }
  }
  return { rows, columns: own.map(({ name }, c) => ({ name, missing: missing[c], unseen: unseen[c] })) };
}
