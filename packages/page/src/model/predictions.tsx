import type { Row } from "conformant";
import { isMissingText } from "conformant/texts";
import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { useQuantity } from "../frame/quantity.ts";
import { TABLE } from "../frame/texts.ts";
import type { PredictedLine, PredictedRows, Sorting, View } from "../worker/rows-messages.ts";

/** Rows that more are shown at a time. */
const PAGE = 100;

interface PredictionsProps {
  /** The columns that the model has. */
  readonly columns: ReadonlySet<string>;
  readonly table: PredictedRows;
  readonly onOpen: (row: Row) => void;
  /** Asks for the first so many rows. */
  readonly onMore: (rows: number) => void;
  readonly onLook: (view: View) => void;
  readonly onSave: () => void;
}

/** The rows of a table with their predictions; a row can be opened, all of them sorted and downloaded. */
export function Predictions({ columns, table, onOpen, onMore, onLook, onSave }: PredictionsProps) {
  const { count, notes, header, classes, lines, view, found, trained = 0 } = table;
  const names = useNames();
  const { sorting } = view;
  const onSort = (by: Sorting): void => onLook({ ...view, sorting: by });
  const isNumber = classes.length === 0;
  const shownClasses = shownOf(classes, view);
  const heads: { readonly name: string; readonly by: Sorting["by"] }[] = [
    { name: TABLE.row, by: "row" },
    { name: isNumber ? TABLE.predicted(names.outcome) : TABLE.prediction, by: "prediction" },
    ...(isNumber ? [] : [{ name: TABLE.probability, by: "probability" as const }]),
    ...shownClasses.map((k) => ({ name: `P(${names.class(classes[k])})`, by: `class ${k}` as const })),
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
      {!isNumber && <Ranking {...{ classes, view, found, count, trained, onLook }} />}
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
                shownClasses={shownClasses}
                onOpen={() => onOpen(line.row)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {found.shown > lines.length && (
        <button type="button" onClick={() => onMore(lines.length + PAGE)}>
          {TABLE.more(found.shown - lines.length)}
        </button>
      )}
    </>
  );
}

/** Classes with a column of their own, at most. */
const MOST_CLASSES = 6;

/** The classes whose probabilities are shown: all where they are few, else the one that rows are ranked by. */
function shownOf(classes: readonly string[], { filter }: View): number[] {
  if (classes.length <= MOST_CLASSES) return Array.from(classes.keys());
  return filter ? [filter.class] : [];
}

interface RankingProps extends Pick<PredictedRows, "classes" | "view" | "found" | "count"> {
  readonly trained: number;
  readonly onLook: (view: View) => void;
}

/** Ranks the rows by the probability of a class, and shows those above a threshold: what it finds and what it misses. */
function Ranking({ classes, view, found, count, trained, onLook }: RankingProps) {
  const names = useNames();
  const { filter } = view;
  const choose = (k: number | undefined): void =>
    onLook(
      k === undefined
        ? { sorting: { by: "row", falling: false } }
        : {
            sorting: { by: `class ${k}`, falling: true },
            filter: { class: k, threshold: filter?.threshold ?? 0 },
          },
    );
  return (
    <div class="ranking">
      <label>
        {TABLE.rankBy}{" "}
        <select
          value={filter ? String(filter.class) : ""}
          onChange={({ currentTarget: { value } }) => choose(value === "" ? undefined : Number(value))}
        >
          <option value="">{TABLE.noRanking}</option>
          {classes.map((name, k) => (
            <option key={name} value={String(k)}>
              {names.class(name)}
            </option>
          ))}
        </select>
      </label>
      {filter && (
        <>
          <label>
            {TABLE.threshold(percent(filter.threshold))}{" "}
            <input
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={filter.threshold}
              onInput={({ currentTarget }) =>
                onLook({ ...view, filter: { ...filter, threshold: Number(currentTarget.value) } })
              }
            />
          </label>
          <p role="status">
            {TABLE.above(found.shown)}{" "}
            {found.right !== undefined &&
              found.all !== undefined &&
              TABLE.foundAndMissed(names.class(classes[filter.class]), found.right, found.all, found.shown)}
          </p>
          <FoundBars name={names.class(classes[filter.class])} found={found} />
          {trained > 0 && <p class="beyond">{TABLE.trained(trained, count)}</p>}
        </>
      )}
    </div>
  );
}

/** What a threshold finds of a class, and how much of what it shows is of that class; the sentence above has the numbers. */
function FoundBars({ name, found: { shown, right, all } }: { name: string; found: PredictedRows["found"] }) {
  if (right === undefined || all === undefined) return null;
  return (
    <ul class="found-bars" aria-hidden="true">
      {[
        { title: TABLE.ofClass(name), of: all, rest: "missed" },
        { title: TABLE.shownRows, of: shown, rest: "others" },
      ].map(({ title, of, rest }) => (
        <li key={rest}>
          <span>{title}</span>
          <i class={of > 0 ? rest : ""}>
            <b style={{ width: `${of > 0 ? (100 * right) / of : 0}%` }} />
          </i>
          <span class="note">
            {right} / {of}
          </span>
        </li>
      ))}
    </ul>
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
  readonly shownClasses: readonly number[];
  readonly onOpen: () => void;
}

/** One row of the table, its number and prediction first. */
function Line({ columns, header, line, shownClasses, onOpen }: LineProps) {
  const { number, cells, row, prediction, probability } = line;
  const names = useNames();
  const quantity = useQuantity();
  const name = typeof prediction === "number" ? quantity.text(prediction) : names.class(prediction);
  return (
    <tr onClick={onOpen}>
      <td class="row-number">{number}</td>
      <th scope="row">
        <button type="button" onClick={onOpen} aria-label={TABLE.open(number, name)}>
          {typeof prediction === "number" ? <data value={String(prediction)}>{name}</data> : name}
        </button>
      </th>
      {probability !== undefined && (
        <td>
          <data value={String(probability)}>{percent(probability)}</data>
        </td>
      )}
      {shownClasses.map((k) => (
        <td key={`p ${k}`} class="of-class">
          {percent(line.probabilities[k])}
        </td>
      ))}
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

/** A cell of the table; a gap is drawn as one, and what is not a value of its column is struck through. */
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
