import type { Column, EncodedColumn, Table, Value } from "conformant";

/** A table of which only some cells are known. */
export function maskRows(table: Table, isKnown: (row: number, column: number) => boolean): Table {
  const columns = table.columns.map((cells, c) => {
    const own = cells.slice();
    for (let r = 0; r < own.length; r++) if (!isKnown(r, c)) own[r] = gapOf(cells);
    return own;
  });
  return { ...table, columns };
}

/** What stands for a gap among the cells of a column. */
export function gapOf(cells: EncodedColumn): number {
  return cells instanceof Float64Array || cells instanceof Float32Array ? Number.NaN : -1;
}

/** Whether a cell of a column is a gap. */
export function isMissingIn(cells: EncodedColumn, row: number): boolean {
  return Object.is(cells[row], gapOf(cells));
}

/** The cell of a column as a person would give it. */
export function givenValue(column: Column, cell: number): Value {
  if (column.kind === "categorical") return column.values[cell];
  if (column.kind !== "binned") return cell;
  return cell === 0 ? column.edges[0] - 1 : column.edges[cell - 1];
}
