import type { Row } from "conformant";
import { useState } from "preact/hooks";
import { percent } from "../frame/numbers.ts";
import { Download } from "./download.tsx";
import type { PredictedTable } from "./predict-table.ts";

/** Rows that are shown at first, and that more are shown at a time. */
const PAGE = 100;

/** The rows of a table with their predictions; a row can be opened, all of them downloaded. */
export function Predictions({ table, onOpen }: { table: PredictedTable; onOpen: (row: Row) => void }) {
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
