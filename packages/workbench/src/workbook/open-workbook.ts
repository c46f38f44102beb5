import { TableError } from "../source/table-error.ts";
import { attribute, decodeEntities, xmlScanner } from "./scan-xml.ts";
import { type ArchiveFile, readEntryText, readZipEntries, type ZipEntries } from "./zip-archive.ts";

/** A cell with a value. */
export interface Cell {
  /** Its column, from 0. */
  readonly column: number;
  readonly kind: "number" | "text" | "boolean" | "date" | "error" | "no result";
  /** The value: a plain number, true or false, an ISO date or time, the code of an error, or a text. */
  readonly text: string;
}

/** A row of a sheet with its cells that have a value. */
export interface SheetRow {
  /** Its number as Excel shows it, from 1. */
  readonly number: number;
  readonly cells: readonly Cell[];
  /** Whether some of them are the value of merged cells that begin above. */
  readonly isRepeating?: boolean;
}

/** Cells that are merged into one: rows from 1, columns from 0, all inclusive. */
export interface MergedCells {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

/** An Excel workbook (Office Open XML, ECMA-376). */
export interface Workbook {
  readonly sheets: readonly string[];
  /** Reads the merged cells of a sheet, which a file lists behind its rows. */
  readonly mergedCells: (sheet: string) => Promise<MergedCells[]>;
  /** Streams the rows of a sheet. */
  readonly rows: (sheet: string) => AsyncGenerator<SheetRow>;
}

interface Relation {
  readonly type: string;
  readonly part: string;
}

export async function openWorkbook(file: ArchiveFile): Promise<Workbook> {
  const entries = await readZipEntries(file);
  const root = await readRelations(file, entries, "");
  const main = [...root.values()].find(({ type }) => type === "officeDocument")?.part ?? "xl/workbook.xml";
  if (!entries.has(main))
    throw new TableError(
      "unreadable-file",
      `"${file.name}" is a ZIP archive, expected an Excel workbook (.xlsx)`,
      {
        hint: "save the table as .xlsx or CSV",
      },
    );
  const relations = await readRelations(file, entries, main);
  const parts = new Map<string, string>();
  let since1904 = false;
  await scanPart(file, entries, main, (name, attributes) => {
    if (name === "workbookPr") since1904 = /^(1|true)$/.test(attribute(attributes, "date1904") ?? "");
    if (name !== "sheet") return;
    const target = relations.get(attribute(attributes, "id") ?? "");
    // A sheet that only holds a chart has no rows.
    if (target?.type === "worksheet") parts.set(attribute(attributes, "name") ?? "", target.part);
  });
  const partOf = (sheet: string): string => parts.get(sheet) ?? "";
  const related = (type: string): string | undefined => {
    const part = [...relations.values()].find((relation) => relation.type === type)?.part;
    return part !== undefined && entries.has(part) ? part : undefined;
  };
  return {
    sheets: [...parts.keys()],
    mergedCells: (sheet) => readMergedCells(file, entries, partOf(sheet)),
    rows: async function* (sheet) {
      const [styles, texts] = [related("styles"), related("sharedStrings")];
      const reading = {
        timeStyles: styles === undefined ? [] : await readTimeStyles(file, entries, styles),
        sharedTexts: texts === undefined ? [] : await readSharedTexts(file, entries, texts),
        since1904,
      };
      yield* readRows(file, entries, partOf(sheet), reading);
    },
  };
}

async function scanPart(
  file: ArchiveFile,
  entries: ZipEntries,
  part: string,
  open: (name: string, attributes: string) => void,
  close: (name: string) => void = () => {},
  text: (piece: string) => void = () => {},
): Promise<void> {
  const scan = xmlScanner({ open, close, text });
  for await (const piece of readEntryText(file, entries, part)) scan(piece);
}

/** The relations of a part by their ids; targets are relative to its folder. */
async function readRelations(
  file: ArchiveFile,
  entries: ZipEntries,
  part: string,
): Promise<Map<string, Relation>> {
  const slash = part.lastIndexOf("/") + 1;
  const [folder, own] = [part.slice(0, slash), part.slice(slash)];
  const relations = new Map<string, Relation>();
  const listed = `${folder}_rels/${own}.rels`;
  if (!entries.has(listed)) return relations;
  await scanPart(file, entries, listed, (name, attributes) => {
    if (name !== "Relationship") return;
    const target = attribute(attributes, "Target") ?? "";
    const type = attribute(attributes, "Type") ?? "";
    relations.set(attribute(attributes, "Id") ?? "", {
      type: type.slice(type.lastIndexOf("/") + 1),
      part: resolvePart(folder, target),
    });
  });
  return relations;
}

/** The part of an archive that a relation of a folder points to. */
export function resolvePart(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const steps: string[] = [];
  for (const step of `${folder}${target}`.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** Whether numbers in a style are dates, times of a day, or neither. */
type TimeStyle = "date" | "time" | undefined;

/** Built-in number formats that are dates, East Asian ones included, and times (ECMA-376 part 1, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) ||
  id === 22 ||
  (id >= 27 && id <= 31) ||
  id === 36 ||
  (id >= 50 && id <= 54) ||
  id === 57 ||
  id === 58;
const isBuiltInTime = (id: number): boolean =>
  (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47;

/** By the position of a cell style: what its number format makes of a number. */
async function readTimeStyles(file: ArchiveFile, entries: ZipEntries, part: string): Promise<TimeStyle[]> {
  const codes = new Map<number, string>();
  const styles: TimeStyle[] = [];
  let inCells = false;
  await scanPart(
    file,
    entries,
    part,
    (name, attributes) => {
      if (name === "cellXfs") inCells = true;
      const id = Number(attribute(attributes, "numFmtId"));
      if (name === "numFmt") codes.set(id, attribute(attributes, "formatCode") ?? "");
      if (name === "xf" && inCells) styles.push(timeStyleOf(id, codes.get(id)));
    },
    (name) => {
      if (name === "cellXfs") inCells = false;
    },
  );
  return styles;
}

function timeStyleOf(id: number, code: string | undefined): TimeStyle {
  if (code === undefined) return isBuiltInDate(id) ? "date" : isBuiltInTime(id) ? "time" : undefined;
  // Without texts, escaped characters, colors and conditions; of elapsed hours [h] nothing remains to be a time of a day.
  const [positive] = code.replace(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  if (/\[(h+|m+|s+)\]/i.test(positive)) return undefined;
  const letters = positive.replace(/\[[^\]]*\]/g, "").replace(/general/gi, "");
  if (/[dy]/i.test(letters) || (/m/i.test(letters) && !/[hs]/i.test(letters))) return "date";
  return /[hs]/i.test(letters) ? "time" : undefined;
}

async function readSharedTexts(file: ArchiveFile, entries: ZipEntries, part: string): Promise<string[]> {
  const texts: string[] = [];
  const reader = richText();
  await scanPart(
    file,
    entries,
    part,
    (name) => {
      if (name === "si") reader.start();
      reader.open(name);
    },
    (name) => {
      reader.close(name);
      if (name === "si") texts.push(reader.value());
    },
    reader.text,
  );
  return texts;
}

/** Collects the text of an element that may have runs of different fonts; phonetic hints are no part of it. */
function richText() {
  let [collected, inText, inPhonetic] = ["", false, false];
  return {
    start: () => {
      [collected, inText, inPhonetic] = ["", false, false];
    },
    open: (name: string) => {
      if (name === "t") inText = true;
      if (name === "rPh") inPhonetic = true;
    },
    close: (name: string) => {
      if (name === "t") inText = false;
      if (name === "rPh") inPhonetic = false;
    },
    text: (piece: string) => {
      if (inText && !inPhonetic) collected += piece;
    },
    // Characters that XML cannot hold are written as _x000D_.
    value: () =>
      decodeEntities(collected).replace(/_x([0-9A-F]{4})_/gi, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
  };
}

const MERGED = "<mergeCell";

async function readMergedCells(file: ArchiveFile, entries: ZipEntries, part: string): Promise<MergedCells[]> {
  let rest = "";
  let scan: ((piece: string) => void) | undefined;
  const merged: MergedCells[] = [];
  for await (const piece of readEntryText(file, entries, part)) {
    if (scan) {
      scan(piece);
      continue;
    }
    const all = rest + piece;
    const at = all.indexOf(MERGED);
    rest = all.slice(-MERGED.length);
    if (at < 0) continue;
    scan = xmlScanner({
      open: (name, attributes) => {
        const [from, to] = (attribute(attributes, "ref") ?? "").split(":").map(cellPlace);
        if (name === "mergeCell" && from && to)
          merged.push({ rows: [from.row, to.row], columns: [from.column, to.column] });
      },
      close: () => {},
      text: () => {},
    });
    scan(all.slice(at));
  }
  return merged;
}

/** The row from 1 and the column from 0 of a reference such as B12. */
function cellPlace(reference: string): { row: number; column: number } | undefined {
  const found = /^\$?([A-Z]{1,3})\$?(\d+)$/i.exec(reference);
  return found ? { row: Number(found[2]), column: columnNumber(found[1]) } : undefined;
}

function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = 26 * column + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The letters of a column, as Excel shows them. */
export function columnLetters(column: number): string {
  const [higher, last] = [Math.floor(column / 26), String.fromCharCode(65 + (column % 26))];
  return higher === 0 ? last : columnLetters(higher - 1) + last;
}

interface Reading {
  readonly timeStyles: readonly TimeStyle[];
  readonly sharedTexts: readonly string[];
  readonly since1904: boolean;
}

async function* readRows(
  file: ArchiveFile,
  entries: ZipEntries,
  part: string,
  reading: Reading,
): AsyncGenerator<SheetRow> {
  let ready: SheetRow[] = [];
  let [row, column, hasFormula, inValue] = [0, 0, false, false];
  let [type, style, value] = ["", -1, ""];
  let cells: Cell[] = [];
  const inline = richText();
  const scan = xmlScanner({
    open: (name, attributes) => {
      if (name === "row") {
        row = Number(attribute(attributes, "r") ?? row + 1);
        [cells, column] = [[], 0];
      } else if (name === "c") {
        column = cellPlace(attribute(attributes, "r") ?? "")?.column ?? column;
        type = attribute(attributes, "t") ?? "n";
        style = Number(attribute(attributes, "s") ?? -1);
        [value, hasFormula, inValue] = ["", false, false];
        inline.start();
      } else if (name === "v") inValue = true;
      else if (name === "f") hasFormula = true;
      else inline.open(name);
    },
    close: (name) => {
      if (name === "v") inValue = false;
      else if (name === "c") {
        const text = type === "inlineStr" ? inline.value() : decodeEntities(value);
        const cell = readCell(text, type, reading.timeStyles[style], reading);
        if (cell && cell.text !== "") cells.push({ column, ...cell });
        else if (hasFormula) cells.push({ column, kind: "no result", text: "" });
        column++;
      } else if (name === "row") ready.push({ number: row, cells });
      else inline.close(name);
    },
    text: (piece) => {
      if (inValue) value += piece;
      else inline.text(piece);
    },
  });
  for await (const piece of readEntryText(file, entries, part)) {
    scan(piece);
    const rows = ready;
    ready = [];
    yield* rows;
  }
}

function readCell(
  text: string,
  type: string,
  timeStyle: TimeStyle,
  { sharedTexts, since1904 }: Reading,
): Omit<Cell, "column"> | undefined {
  if (type === "s") return { kind: "text", text: sharedTexts[Number(text)] ?? "" };
  if (type === "str" || type === "inlineStr") return { kind: "text", text };
  if (type === "b")
    return { kind: "boolean", text: text === "" ? "" : text === "1" || text === "true" ? "true" : "false" };
  if (type === "e") return { kind: "error", text };
  if (type === "d") return { kind: "date", text: text.replace("T", " ") };
  const number = Number(text);
  if (text.trim() === "" || Number.isNaN(number)) return undefined;
  const time = timeStyle && timeText(number, timeStyle, since1904);
  return time === undefined ? { kind: "number", text: String(number) } : { kind: "date", text: time };
}

const DAY_MS = 86400e3;

/** The date or time that a number of days stands for; undefined outside of the years 1900 to 9999. */
function timeText(days: number, style: "date" | "time", since1904: boolean): string | undefined {
  if (days < 0 || days >= 2958466) return undefined;
  if (style === "time" && days < 1)
    return new Date(Math.round(days * 86400) * 1000).toISOString().slice(11, 19);
  // Excel counts a day 1900-02-29, which did not exist, so that earlier days are off by one.
  const epoch = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const [date, time] = new Date(epoch + Math.round(days * 86400) * 1000)
    .toISOString()
    .slice(0, 19)
    .split("T");
  return (days * DAY_MS) % DAY_MS < 500 ? date : `${date} ${time}`;
}
