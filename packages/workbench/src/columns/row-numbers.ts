import type { CellReading, TableSource } from "../source/table-source.ts";
import type { NumberCounts } from "./column-counts.ts";

/** Fewer rows than this may be in order by chance. */
const FEW_ROWS = 5;

/**
 * Whether a column numbers the rows: whole numbers, different in every row and ascending from one row to the next. A server
 * hands rows over in any order, so that there the numbers must follow each other without a gap.
 */
export async function numbersRows<Cells extends CellReading>(
  source: TableSource<Cells>,
  cells: Cells,
  name: string,
  { whole, different, least, most }: NumberCounts,
  rows: number,
): Promise<boolean> {
  if (!whole || different !== rows || rows < FEW_ROWS) return false;
  if (source.remote || most - least === rows - 1) return most - least === rows - 1;
  let last = Number.NEGATIVE_INFINITY;
  for await (const batch of source.rows(cells, { columns: [{ name, kind: "numeric" }] })) {
    for (const number of batch.columns[0] as Float64Array) {
      if (number <= last) return false;
      last = number;
    }
  }
  return true;
}
