import { requireFunction, requireMade } from "../errors.ts";
import type { Random } from "../math/random.ts";
import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { isComplete } from "../schema/rows/complete-rows.ts";
import { drawFromModel } from "./complete-rows.ts";

/**
 * A table without gaps: each missing cell is drawn from the model given the known columns of its row and its class.
 *
 * @param table the model's columns and, last, the label
 */
export function completeTable(
  model: Model,
  table: Table,
  generator: Random,
): { readonly table: Table; readonly rowsCompleted: number } {
  requireMade("model", model);
  requireMade("table", table);
  requireFunction("generator.uniform", (generator as Partial<Random> | null)?.uniform);
  const features: Table = {
    ...table,
    schema: model.classifier.schema,
    columns: table.columns.slice(0, -1),
  };
  const columns = table.columns.map((cells) => cells.slice());
  const draw = drawFromModel(model, features, Int32Array.from(table.columns[columns.length - 1]), generator);
  const values = new Float64Array(features.columns.length);
  let rowsCompleted = 0;
  for (let r = 0; r < table.rows; r++) {
    if (isComplete(features, r)) continue;
    draw(r, values);
    for (let i = 0; i < values.length; i++) columns[i][r] = values[i];
    rowsCompleted++;
  }
  return { table: { ...table, columns }, rowsCompleted };
}
