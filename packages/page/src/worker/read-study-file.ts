import { readCsvTable, readJsonTable, TableError, type TextTable } from "conformant-workbench";
import { OF_TABLES } from "../frame/studio-texts.ts";
import type { StudyFile, TableChoices } from "./study-messages.ts";

/** Reads a file of the person's into memory, whatever its format. */
export async function readStudyFile(
  { name, content }: StudyFile,
  { header, encoding, sheet }: Pick<TableChoices, "header" | "encoding" | "sheet">,
  onRows?: (rows: number) => void,
  onSheets?: (names: readonly string[]) => void,
): Promise<TextTable> {
  const head = new Uint8Array(await content.slice(0, 64).arrayBuffer());
  if (startsWith(head, "PAR1")) {
    const { readParquetTable } = await import("./read-parquet-table.ts");
    return readParquetTable(name, content, onRows);
  }
  if (startsWith(head, ZIP) && /\.xls[xm]$/i.test(name)) {
    const { readWorkbookTable } = await import("./read-workbook-table.ts");
    const growing = { tooLarge: OF_TABLES.tooLarge, onRows };
    return readWorkbookTable(name, content, { header, sheet }, growing, onSheets);
  }
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  refuseForeign(name, head);
  let come = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      come += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  const stream = content.stream().pipeThrough(counting);
  const bytes = packed ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
  const pieces = decode(name, bytes, markedEncoding(head) ?? encoding ?? "utf-8", packed);
  const options = { tooLarge: OF_TABLES.tooLarge, onRows, share: () => come / content.size };
  if (/\.(?:jsonl|ndjson|json)(?:\.gz)?$/i.test(name)) return readJsonTable(name, pieces, options);
  return readCsvTable(name, pieces, { ...options, header, twiceNamed: OF_TABLES.twiceNamed });
}

/** The encoding that a byte order mark names. */
function markedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

async function* decode(
  name: string,
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
  encoding: string,
  packed: boolean,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const reader = bytes.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      yield decoder.decode(next.value, { stream: true });
    yield decoder.decode();
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    if (packed) throw new TableError("unreadable-file", OF_TABLES.damaged(name));
    throw new TableError("csv", OF_TABLES.notText(name, encoding), { hint: OF_TABLES.chooseEncoding });
  }
}

const ZIP = "PK\x03\x04";

/** What a file has at its beginning that is no table in text. */
const FORMATS: readonly (readonly [beginning: string, is: string])[] = [
  ["\xd0\xcf\x11\xe0", OF_TABLES.spreadsheet],
  ["\x89PNG", OF_TABLES.image],
  ["\xff\xd8\xff", OF_TABLES.image],
  ["%PDF-", OF_TABLES.pdf],
  ["<!doctype html", OF_TABLES.webPage],
  ["<html", OF_TABLES.webPage],
];

/** What a ZIP archive is, by the ending of its name. */
const ZIPPED: readonly (readonly [ending: RegExp, is: string])[] = [
  [/\.(?:docx|odt)$/i, OF_TABLES.document],
  [/\.(?:pptx|odp)$/i, OF_TABLES.slides],
  [/\.(?:ods|xlsb)$/i, OF_TABLES.spreadsheet],
];

function refuseForeign(name: string, head: Uint8Array): void {
  const found = startsWith(head, ZIP)
    ? (ZIPPED.find(([ending]) => ending.test(name)) ?? ["", OF_TABLES.archive])
    : FORMATS.find(([beginning]) => startsWith(head, beginning));
  if (found)
    throw new TableError("unreadable-file", OF_TABLES.noTable(name, found[1]), { hint: OF_TABLES.saveAsCsv });
}

function startsWith(head: Uint8Array, beginning: string): boolean {
  return String.fromCharCode(...head)
    .toLowerCase()
    .startsWith(beginning.toLowerCase());
}
