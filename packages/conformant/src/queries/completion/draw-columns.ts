import type { Model } from "../../model/model.ts";
import { type EncodedColumn, emptyLike, type Table } from "../../schema/data.ts";
import { completionSpace, eachCell } from "./completion-space.ts";
import { drawCompletions } from "./visit-completions.ts";

/**
 * Rows drawn from the model given what is known of one, as columns: its known cells in each of them, the others drawn together.
 *
 * @param table one row
 */
export function drawColumns(model: Model, table: Table, count: number, seed: number): EncodedColumn[] {
  const space = completionSpace(model, table, 0);
  const columns = table.columns.map((cells) => emptyLike(cells, count).fill(cells[0]));
  let r = 0;
  drawCompletions(space, count, seed, (atoms, _, numbers) => {
    eachCell(space, atoms, numbers, (i, cell) => {
      columns[i][r] = cell;
    });
    r++;
  });
  return columns;
}
