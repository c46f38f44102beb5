import type { Model, Row } from "conformant";
import { useRef, useState } from "preact/hooks";
import { percent } from "../frame/numbers.ts";
import { type PredictedTable, predictTable, resultsCsv } from "./predict-table.ts";

const PAGE = 100;

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

function Predictions({ table, onOpen }: { table: PredictedTable; onOpen: (row: Row) => void }) {
  const [shown, setShown] = useState(PAGE);
  const { rows, notes, classes, probabilities, predicted, header, cells } = table;
  const K = classes.length;
  return (
    <>
      <p class="table-head" role="status">
        {rows.length} {rows.length === 1 ? "row" : "rows"} predicted. Choose a row to open it in the form.{" "}
        <Download table={table} />
      </p>
      {notes.map((note) => (
        <p key={note} class="note warn">
          {note}
        </p>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Predictions">
        <table>
          <thead>
            <tr>
              <th scope="col">prediction</th>
              <th scope="col">probability</th>
              {header.map((name, c) => (
                <th key={c} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.slice(0, shown).map((line, r) => (
              <tr key={r} onClick={() => onOpen(rows[r])}>
                <th scope="row">
                  <button
                    type="button"
                    onClick={() => onOpen(rows[r])}
                    aria-label={`open row ${r + 1}, predicted ${classes[predicted[r]]}`}
                  >
                    {classes[predicted[r]]}
                  </button>
                </th>
                <td>
                  <data value={String(probabilities[r * K + predicted[r]])}>
                    {percent(probabilities[r * K + predicted[r]])}
                  </data>
                </td>
                {header.map((name, c) => (
                  <Cell key={c} text={line[c] ?? ""} known={Object.hasOwn(rows[r], name)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          Show more ({rows.length - shown} left)
        </button>
      )}
    </>
  );
}

/** A cell of the table; a gap is drawn as one. */
function Cell({ text, known }: { text: string; known: boolean }) {
  if (known || text.trim() !== "") return <td class={known ? "" : "unused"}>{text}</td>;
  return (
    <td class="gap">
      <span class="hidden">unknown</span>
    </td>
  );
}

function Download({ table }: { table: PredictedTable }) {
  const link = useRef<HTMLAnchorElement>(null);
  const save = (): void => {
    if (!link.current) return;
    const url = URL.createObjectURL(new Blob([resultsCsv(table)], { type: "text/csv" }));
    link.current.href = url;
    link.current.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <>
      <button type="button" onClick={save}>
        Download results
      </button>
      {/* biome-ignore lint/a11y/useValidAnchor: never seen; it carries the name of the file */}
      {/* biome-ignore lint/a11y/useAnchorContent: never seen */}
      <a ref={link} download="predictions.csv" hidden />
    </>
  );
}

/** A first line as the model would like it. */
function example(model: Model): string {
  return model.classifier.schema.columns
    .slice(0, 5)
    .map(({ name }) => name)
    .join(",");
}
