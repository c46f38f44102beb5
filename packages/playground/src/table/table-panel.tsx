import type { Model, Row } from "conformant";
import { useState } from "preact/hooks";
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
  const [over, setOver] = useState(false);
  const take = (text: string): void => {
    try {
      setTable(text.trim() === "" ? undefined : predictTable(model, text));
      setProblem(undefined);
    } catch (thrown) {
      setTable(undefined);
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  const takeFile = (file: File | undefined): void => void file?.text().then(take);
  return (
    <section class="card many" aria-labelledby="many">
      <h2 id="many">Many rows at once</h2>
      <fieldset
        class={over ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          takeFile(event.dataTransfer?.files[0]);
        }}
      >
        <legend class="hidden">A table in CSV</legend>
        <p>
          Drop a CSV file here, or{" "}
          <label class="file">
            choose one
            <input
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              onChange={({ currentTarget }) => takeFile(currentTarget.files?.[0])}
            />
          </label>
          . The first line names the columns; empty cells are unknown.
        </p>
        <label for="paste">Or paste it</label>
        <textarea
          id="paste"
          rows={3}
          spellcheck={false}
          placeholder={example(model)}
          onInput={({ currentTarget }) => take(currentTarget.value)}
        />
      </fieldset>
      {problem !== undefined && (
        <p class="unlike" role="alert">
          {problem}
        </p>
      )}
      {table && <Predictions table={table} onOpen={onOpen} />}
    </section>
  );
}

/** A first line as the model would like it. */
function example(model: Model): string {
  return model.classifier.schema.columns
    .slice(0, 5)
    .map(({ name }) => name)
    .join(",");
}
