import type { NumberStyle } from "conformant/texts";
import { counted } from "../source/count.ts";
import { listed, quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import {
  type Cell,
  columnLetters,
  type MergedCells,
  openWorkbook,
  type SheetRow,
  type Workbook,
} from "./open-workbook.ts";
import type { ArchiveFile } from "./zip-archive.ts";

export interface WorkbookOptions {
  /** The sheet (default: the first). */
  readonly sheet?: string | undefined;
  /** Column names from the command line or a model, by which a header is recognized. */
  readonly expected?: readonly string[] | undefined;
  /** The style in which a column's numbers and dates will be read from the text. */
  readonly styleOf?: ((column: string) => NumberStyle | undefined) | undefined;
  /** What the user does to choose another sheet, e.g. `--sheet NAME`. */
  readonly toChoose: string;
  /** Takes the names of all sheets. */
  readonly onSheets?: ((names: readonly string[]) => void) | undefined;
  /** Takes sentences about what was skipped. */
  readonly note?: ((text: string) => void) | undefined;
}

/** Rows that decide where the table is on the sheet. */
const SAMPLE = 1000;

/** Reads the table on a sheet as CSV with commas: a header and rows of one length. Its numbers are plain and its dates in ISO 8601. */
export async function* readWorkbookText(file: ArchiveFile, options: WorkbookOptions): AsyncGenerator<string> {
  const workbook = await openWorkbook(file);
  options.onSheets?.(workbook.sheets);
  const sheet = chooseSheet(file, workbook, options);
  const place = `${quoted(file.name)}, sheet ${quoted(sheet)}`;
  const notes = new Notes();
  const merged = await workbook.mergedCells(sheet);
  const rows = repeatMerged(workbook.rows(sheet), merged);
  const sample: SheetRow[] = [];
  let area: TableArea | undefined;
  for await (const row of rows) {
    if (row.cells.length === 0) continue;
    if (area) yield* area.line(row);
    else if (sample.push(row) === SAMPLE) {
      area = findTable(place, sample, merged, options, notes);
      yield* area.begin(sample);
    }
  }
  if (sample.length === 0) {
    const others = workbook.sheets.filter((name) => name !== sheet);
    throw new TableError("empty-data", `${place}: the sheet is empty, expected a header and rows`, {
      hint: others.length === 0 ? undefined : `${options.toChoose} chooses another: ${listed(others)}`,
    });
  }
  if (!area) yield* findTable(place, sample, merged, options, notes).begin(sample);
  notes.report(place, options.note);
}

function chooseSheet(
  file: ArchiveFile,
  { sheets }: Workbook,
  { sheet, toChoose, note }: WorkbookOptions,
): string {
  if (sheets.length === 0)
    throw new TableError("empty-data", `${quoted(file.name)} has no sheet with cells, expected one`);
  if (sheet === undefined) {
    if (sheets.length > 1)
      note?.(
        `${quoted(file.name)}: read sheet ${quoted(sheets[0])}; ${toChoose} chooses another: ${listed(sheets.slice(1))}`,
      );
    return sheets[0];
  }
  if (sheets.includes(sheet)) return sheet;
  throw new TableError(
    "unknown-column",
    `${quoted(file.name)} has no sheet ${quoted(sheet)}, there are ${listed(sheets)}`,
  );
}

/** Counts what a table on a sheet has beside values. */
class Notes {
  readonly #errors = new Map<string, number>();
  #formulas = 0;
  #outside = 0;
  #firstOutside = "";
  #repeated = 0;
  readonly sentences: string[] = [];

  error(code: string): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
  }

  formula(): void {
    this.#formulas++;
  }

  outside(reference: string): void {
    this.#firstOutside ||= reference;
    this.#outside++;
  }

  repeated(): void {
    this.#repeated++;
  }

  report(place: string, note: ((text: string) => void) | undefined): void {
    const errors = [...this.#errors.values()].reduce((a, b) => a + b, 0);
    const codes = [...this.#errors.keys()].join(", ");
    const found = [
      ...this.sentences,
      ...(errors > 0
        ? [`${counted(errors, "cell")} with an error (${codes}) ${errors === 1 ? "is" : "are"} missing`]
        : []),
      ...(this.#formulas > 0
        ? [
            `${counted(this.#formulas, "formula")} without a stored result ${this.#formulas === 1 ? "is" : "are"} missing (a spreadsheet program stores results when it saves the file)`,
          ]
        : []),
      ...(this.#repeated > 0
        ? [`values of merged cells are repeated in ${counted(this.#repeated, "row")} that they span`]
        : []),
      ...(this.#outside > 0
        ? [
            `${counted(this.#outside, "cell")} beside the table ${this.#outside === 1 ? "is" : "are"} ignored, the first is ${this.#firstOutside}`,
          ]
        : []),
    ];
    for (const sentence of found) note?.(`${place}: ${sentence}`);
  }
}

/** Repeats the value of cells that are merged over several rows in each of them. */
async function* repeatMerged(
  rows: AsyncIterable<SheetRow>,
  merged: readonly MergedCells[],
): AsyncGenerator<SheetRow> {
  const tall = merged.filter(({ rows: [first, last] }) => last > first).sort((a, b) => a.rows[0] - b.rows[0]);
  let next = 0;
  let active: { readonly last: number; readonly cell: Cell }[] = [];
  for await (const row of rows) {
    active = active.filter(({ last }) => last >= row.number);
    const own = new Set(row.cells.map(({ column }) => column));
    const repeated = active.flatMap(({ cell }) => (own.has(cell.column) ? [] : [cell]));
    for (; next < tall.length && tall[next].rows[0] <= row.number; next++) {
      const {
        rows: [first, last],
        columns,
      } = tall[next];
      const cell = row.cells.find(({ column }) => column === columns[0]);
      if (cell && first === row.number) active.push({ last, cell });
    }
    yield repeated.length === 0 || row.cells.length === 0
      ? row
      : { ...row, cells: [...row.cells, ...repeated].sort((a, b) => a.column - b.column), isRepeating: true };
  }
}

/** Where the table is on a sheet, and its lines as CSV. */
interface TableArea {
  readonly begin: (sample: readonly SheetRow[]) => Generator<string>;
  readonly line: (row: SheetRow) => Generator<string>;
}

function findTable(
  place: string,
  sample: readonly SheetRow[],
  merged: readonly MergedCells[],
  { expected = [], styleOf = () => undefined }: WorkbookOptions,
  notes: Notes,
): TableArea {
  const start = firstTableRow(sample, merged, expected);
  const [header, ...below] = sample.slice(start);
  const titles = groupTitles(sample[start - 1], header, merged);
  const above = start - (titles.size > 0 ? 1 : 0);
  if (above > 0)
    notes.sentences.push(`${counted(above, "row")} above the header ${above === 1 ? "is" : "are"} skipped`);
  if (titles.size > 0)
    notes.sentences.push(
      `the header has two rows, whose texts are joined as in ${quoted([...titles.values()][0])}`,
    );
  const names = new Map(header.cells.map((cell) => [cell.column, titles.get(cell.column) ?? cell.text]));
  const filled = new Map<number, number>();
  for (const { cells } of below)
    for (const { column } of cells) filled.set(column, (filled.get(column) ?? 0) + 1);
  // A column without a name is one of the table, such as row numbers, if most rows have a value in it.
  for (const [column, rows] of filled)
    if (!names.has(column) && rows > below.length / 2) names.set(column, "");
  const columns = [...names.keys()].sort((a, b) => a - b);
  const position = new Map(columns.map((column, c) => [column, c]));
  const styles = columns.map((column) => styleOf((names.get(column) ?? "").trim()));
  const lineOf = (fields: readonly string[]): string =>
    `${fields.length === 1 && fields[0] === "" ? '""' : fields.map(quotedField).join(",")}\n`;
  function* line({ number, cells, isRepeating }: SheetRow): Generator<string> {
    if (isRepeating) notes.repeated();
    const fields = new Array<string>(columns.length).fill("");
    let isEmpty = true;
    for (const cell of cells) {
      const c = position.get(cell.column);
      if (c === undefined) notes.outside(`${columnLetters(cell.column)}${number}`);
      else {
        isEmpty = false;
        if (cell.kind === "error") notes.error(cell.text);
        else if (cell.kind === "no result") notes.formula();
        else fields[c] = written(cell, styles[c]);
      }
    }
    if (!isEmpty) yield lineOf(fields);
  }
  return {
    line,
    *begin() {
      if (columns.length === 0)
        throw new TableError("empty-data", `${place}: the sheet has no columns, expected a table`);
      yield lineOf(columns.map((column) => names.get(column) ?? ""));
      for (const row of below) yield* line(row);
    },
  };
}

/**
 * The position of the first row of the table, which usually is its header: the row with an expected name, else the first with about as many
 * cells as the fullest row. A title stands above, in one cell or merged ones.
 */
function firstTableRow(
  sample: readonly SheetRow[],
  merged: readonly MergedCells[],
  expected: readonly string[],
): number {
  const known = new Set(expected);
  const named = sample.findIndex(({ cells }) =>
    cells.some(({ kind, text }) => kind === "text" && known.has(text.trim())),
  );
  if (named >= 0) return named;
  const most = sample.reduce((n, { cells }) => Math.max(n, cells.length), 0);
  const enough = Math.min(most, Math.max(2, Math.ceil(0.75 * most)));
  const isSpanned = ({ number, cells }: SheetRow): boolean =>
    merged.some(
      ({ rows, columns }) =>
        rows[0] === number && columns[1] > columns[0] && cells.some(({ column }) => column === columns[0]),
    );
  const first = sample.findIndex((row) => row.cells.length >= enough && !isSpanned(row));
  return Math.max(0, first);
}

/** The names of columns below a merged cell in the row above the header: its text and their own. */
function groupTitles(
  above: SheetRow | undefined,
  header: SheetRow,
  merged: readonly MergedCells[],
): Map<number, string> {
  const titles = new Map<number, string>();
  if (above?.number !== header.number - 1) return titles;
  const groups = merged.filter(
    ({ rows, columns }) => rows[0] === above.number && rows[1] === above.number && columns[1] > columns[0],
  );
  const covered = header.cells.filter(({ column }) =>
    groups.some(({ columns }) => columns[0] <= column && column <= columns[1]),
  );
  // One merged cell over the whole table is its title.
  if (groups.length === 1 && covered.length === header.cells.length) return titles;
  for (const cell of covered) {
    const group = groups.find(({ columns }) => columns[0] <= cell.column && cell.column <= columns[1]);
    const title = above.cells.find(({ column }) => column === group?.columns[0]);
    if (title) titles.set(cell.column, `${title.text.trim()} ${cell.text.trim()}`);
  }
  return titles;
}

/** A cell as the reader of the text expects it. */
function written({ kind, text }: Cell, style: NumberStyle | undefined): string {
  if (kind === "number") return style?.decimal === "comma" && !style.date ? text.replace(".", ",") : text;
  if (kind !== "date" || style?.date === undefined) return text;
  const [date, time] = text.split(" ");
  const [year, month, day] = date.split("-");
  const orders: Partial<Record<NonNullable<NumberStyle["date"]>, string>> = {
    "month/day/year": `${month}/${day}/${year}`,
    "day/month/year": `${day}/${month}/${year}`,
    yyyymmdd: `${year}${month}${day}`,
  };
  const ordered = orders[style.date];
  return day === undefined || ordered === undefined
    ? text
    : [ordered, ...(time === undefined ? [] : [time])].join(" ");
}

function quotedField(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
