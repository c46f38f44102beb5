import type { Row } from "conformant";
import { percent } from "../frame/numbers.ts";
import type { PredictedLine, PredictedRows } from "./rows-messages.ts";

/** Rows that more are shown at a time. */
const PAGE = 100;

interface PredictionsProps {
  readonly table: PredictedRows;
  readonly onOpen: (row: Row) => void;
  /** Asks for the first so many rows. */
  readonly onMore: (rows: number) => void;
  readonly onSave: () => void;
}

/** The rows of a table with their predictions; a row can be opened, all of them downloaded. */
export function Predictions({ table, onOpen, onMore, onSave }: PredictionsProps) {
  const { count, notes, header, lines } = table;
  return (
    <>
      <p class="table-head" role="status">
        {count} {count === 1 ? "row" : "rows"} predicted. Choose a row to open it in the form.{" "}
        <button type="button" onClick={onSave}>
          Download results
        </button>
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
              <th scope="col">row</th>
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
            {lines.map((line, r) => (
              <Line key={r} header={header} line={line} r={r} onOpen={() => onOpen(line.row)} />
            ))}
          </tbody>
        </table>
      </section>
      {count > lines.length && (
        <button type="button" onClick={() => onMore(lines.length + PAGE)}>
          Show more ({count - lines.length} left)
        </button>
      )}
    </>
  );
}

interface LineProps {
  readonly header: readonly string[];
  readonly line: PredictedLine;
  readonly r: number;
  readonly onOpen: () => void;
}

/** One row of the table, its number and prediction first. */
function Line({ header, line: { cells, row, prediction, probability }, r, onOpen }: LineProps) {
  return (
    <tr onClick={onOpen}>
      <td class="row-number">{r + 1}</td>
      <th scope="row">
        <button type="button" onClick={onOpen} aria-label={`open row ${r + 1}, predicted ${prediction}`}>
          {prediction}
        </button>
      </th>
      <td>
        <data value={String(probability)}>{percent(probability)}</data>
      </td>
      {header.map((name, c) => (
        <Cell key={c} text={cells[c] ?? ""} known={Object.hasOwn(row, name)} />
      ))}
    </tr>
  );
}

/** A cell of the table; a gap is drawn as one, and what the model makes nothing of is struck through. */
function Cell({ text, known }: { text: string; known: boolean }) {
  if (known || text.trim() !== "") return <td class={known ? "" : "unused"}>{text}</td>;
  return (
    <td class="gap">
      <span class="hidden">unknown</span>
    </td>
  );
}
