import { saveFile } from "../frame/save-file.ts";
import { type PredictedTable, resultsCsv } from "./predict-table.ts";

/** A button that saves the results as a file. */
export function Download({ table }: { table: PredictedTable }) {
  return (
    <button type="button" onClick={() => saveFile("predictions.csv", resultsCsv(table), "text/csv")}>
      Download results
    </button>
  );
}
