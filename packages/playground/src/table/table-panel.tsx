import type { Model, Row } from "conformant";
import { useState } from "preact/hooks";
import { CsvDrop } from "./csv-drop.tsx";
import { type PredictedTable, predictTable } from "./predict-table.ts";
import { Predictions } from "./predictions.tsx";

interface TablePanelProps {
  readonly model: Model;
  readonly onOpen: (row: Row) => void;
}

/** Many rows at once: paste or drop a CSV, see its predictions, open a row in the form, download the results. */
export function TablePanel({ model, onOpen }: TablePanelProps) {
  const [table, setTable] = useState<PredictedTable>();
  const [problem, setProblem] = useState<string>();
  const take = (text: string): void => {
    try {
      setTable(text.trim() === "" ? undefined : predictTable(model, text));
      setProblem(undefined);
    } catch (thrown) {
      setTable(undefined);
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  const names = model.classifier.schema.columns.map(({ name }) => name);
  return (
    <section class="card many" aria-labelledby="many">
      <h2 id="many">Many rows at once</h2>
      <CsvDrop example={names.slice(0, 5).join(",")} onTake={take} />
      {problem !== undefined && (
        <p class="unlike" role="alert">
          {problem}
        </p>
      )}
      {table && <Predictions table={table} onOpen={onOpen} />}
    </section>
  );
}
