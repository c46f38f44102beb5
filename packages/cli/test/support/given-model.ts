import { loadModel, type Model, type Row, saveModel } from "conformant";
import type { Workplace } from "./workplace.ts";

/** Writes a model that a test made as NAME.json and rows for it as NAME.csv; gives back the model as read from the file. */
export function writeModel(place: Workplace, name: string, model: Model, rows: readonly Row[]): Model {
  place.write(`${name}.json`, saveModel(model));
  const columns = model.schema.columns.map((column) => column.name);
  const lines = rows.map((row) => columns.map((column) => row[column] ?? "").join(","));
  // A first column that is always there, so that a row with nothing known is no empty line.
  place.write(
    `${name}.csv`,
    `id,${columns.join(",")}\n${lines.map((line, r) => `${r + 1},${line}\n`).join("")}`,
  );
  return loadModel(place.read(`${name}.json`));
}
