import type { Row } from "conformant";
import { isMissingText } from "conformant/texts";
import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { TABLE } from "../frame/texts.ts";
import type { PredictedLine, PredictedRows, Sorting } from "../worker/rows-messages.ts";

/** Rows that more are shown at a time. */
const PAGE = 100;

interface PredictionsProps {
  /** The columns that the model has. */
  readonly columns: ReadonlySet<string>;
  readonly table: PredictedRows;
  readonly onOpen: (row: Row) => void;
  /** Asks for the first so many rows. */
  readonly onMore: (rows: number) => void;
  readonly onSort: (sorting: Sorting) => void;
  readonly onSave: () => void;
}

/** The rows of a table with their predictions; a row can be opened, all of them sorted and downloaded. */
export function Predictions({ columns, table, onOpen, onMore, onSort, onSave }: PredictionsProps) {
  const { count, notes, header, lines, sorting } = table;
  const heads: { readonly name: string; readonly by: Sorting["by"] }[] = [
    { name: TABLE.row, by: "row" },
    { name: TABLE.prediction, by: "prediction" },
    { name: TABLE.probability, by: "probability" },
    ...header.map((name, by) => ({ name, by })),
  ];
  const ignored = lines.some(({ cells, row }) =>
    header.some((name, c) => columns.has(name) && isIgnored(cells[c] ?? "", Object.hasOwn(row, name))),
  );
  return (
    <>
      <p class="table-head" role="status">
        {TABLE.count(count)}{" "}
        <button type="button" onClick={onSave}>
          {TABLE.save}
        </button>
      </p>
      {notes.map((note) => (
        <p key={note} class="note warn">
          {note}
        </p>
      ))}
      {ignored && <p class="note">{TABLE.struck}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={TABLE.region}>
        <table>
          <thead>
            <tr>
              {heads.map(({ name, by }) => (
                <Head key={by} name={name} by={by} sorting={sorting} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line
                key={line.number}
                columns={columns}
                header={header}
                line={line}
                onOpen={() => onOpen(line.row)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {count > lines.length && (
        <button type="button" onClick={() => onMore(lines.length + PAGE)}>
          {TABLE.more(count - lines.length)}
        </button>
      )}
    </>
  );
}

interface HeadProps {
  readonly name: string;
  readonly by: Sorting["by"];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

/** The name of a column, which sorts by it, and the other way round the next time. */
function Head({ name, by, sorting, onSort }: HeadProps) {
  const own = sorting.by === by;
  return (
    <th scope="col" aria-sort={own ? (sorting.falling ? "descending" : "ascending") : "none"}>
      <button type="button" onClick={() => onSort({ by, falling: own && !sorting.falling })}>
        {name} <i aria-hidden="true">{own ? (sorting.falling ? "▼" : "▲") : ""}</i>
      </button>
    </th>
  );
}

interface LineProps extends Pick<PredictionsProps, "columns"> {
  readonly header: readonly string[];
  readonly line: PredictedLine;
  readonly onOpen: () => void;
}

/** One row of the table, its number and prediction first. */
function Line({ columns, header, line, onOpen }: LineProps) {
  const { number, cells, row, prediction, probability } = line;
  const name = useNames().class(prediction);
  return (
    <tr onClick={onOpen}>
      <td class="row-number">{number}</td>
      <th scope="row">
        <button type="button" onClick={onOpen} aria-label={TABLE.open(number, name)}>
          {name}
        </button>
      </th>
      <td>
        <data value={String(probability)}>{percent(probability)}</data>
      </td>
      {header.map((name, c) => (
        <Cell key={c} text={cells[c] ?? ""} known={Object.hasOwn(row, name)} own={columns.has(name)} />
      ))}
    </tr>
  );
}

interface CellProps {
  readonly text: string;
  readonly known: boolean;
  /** Whether the model has the column. */
  readonly own: boolean;
}

/** A cell of the table; a gap is drawn as one, and what is no value of its column is struck through. */
function Cell({ text, known, own }: CellProps) {
  if (known) return <td>{text}</td>;
  if (!own) return <td class="other">{text}</td>;
  if (!isIgnored(text, known))
    return (
      <td class="gap">
        <span class="hidden">{TABLE.unknown}</span>
      </td>
    );
  return (
    <td class="ignored">
      <s>{text}</s>
      <span class="hidden">, {TABLE.ignored}</span>
    </td>
  );
}

/** Whether a cell says something that the model makes nothing of. */
function isIgnored(text: string, known: boolean): boolean {
  return !known && !isMissingText(text.trim());
}
