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
  const { rows, notes, header, cells } = table;
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
            {cells.slice(0, shown).map((_, r) => (
              <Line key={r} table={table} r={r} onOpen={() => onOpen(rows[r])} />
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

/** One row of the table, its prediction first. */
function Line({ table, r, onOpen }: { table: PredictedTable; r: number; onOpen: () => void }) {
  const { rows, classes, probabilities, predicted, header, cells } = table;
  const prediction = classes[predicted[r]];
  const probability = probabilities[r * classes.length + predicted[r]];
  return (
    <tr onClick={onOpen}>
      <th scope="row">
        <button type="button" onClick={onOpen} aria-label={`open row ${r + 1}, predicted ${prediction}`}>
          {prediction}
        </button>
      </th>
      <td>
        <data value={String(probability)}>{percent(probability)}</data>
      </td>
      {header.map((name, c) => (
        <Cell key={c} text={cells[r][c] ?? ""} known={Object.hasOwn(rows[r], name)} />
      ))}
    </tr>
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
