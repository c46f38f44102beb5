import { GrowingColumn, requireRoom, type Storage, TableError, type TextTable } from "conformant-workbench";
import { parquetMetadataAsync, parquetScan, parquetSchema, type SchemaTree } from "hyparquet";
import { decompressGzip, decompressLz4, decompressLz4Raw, decompressZstd } from "hyparquet-compressors";
import { OF_TABLES } from "../frame/studio-texts.ts";

/** How columns are packed, besides by Snappy. Brotli would take more than all the rest, for files that nobody writes. */
const compressors = {
  GZIP: decompressGzip,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
  ZSTD: (input: Uint8Array) => decompressZstd(input),
};

/** What stands in the cells of a column that is no table's: lists, structures, bytes. */
const NO_TEXT = "…";

/** Reads a Parquet file into memory, column by column; values are texts as the command's engine writes them. */
export async function readParquetTable(
  name: string,
  content: Blob,
  onRows?: (rows: number) => void,
): Promise<TextTable> {
  const file = {
    byteLength: content.size,
    slice: (start: number, end?: number) => content.slice(start, end).arrayBuffer(),
  };
  try {
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    const { children } = parquetSchema(metadata);
    const rows = Number(metadata.num_rows);
    requireRoom(name, rows * children.length, OF_TABLES.tooLarge);
    const scan = await parquetScan({
      file,
      metadata,
      compressors,
      utf8: false,
      geoparquet: false,
      parsers: { jsonFromBytes: (bytes) => new TextDecoder().decode(bytes) },
    });
    const columns = [];
    for (const [c, { element, ...field }] of children.entries()) {
      const about = {
        name: element.name,
        storage: storageOf({ element, ...field }),
        type: typeOf(element),
        unnamed: false,
      };
      const cells = new GrowingColumn();
      for (const { rowStart, rowEnd } of scan.ranges) {
        const values =
          about.storage === "other"
            ? new Array<unknown>(rowEnd - rowStart).fill(NO_TEXT)
            : await scan.readColumn({ column: element.name, rowStart, rowEnd });
        const toText = textsOf(element);
        for (const value of values as Iterable<unknown>) cells.add(isNone(value) ? null : toText(value));
        onRows?.(Math.floor((c * rows + rowEnd) / children.length));
      }
      columns.push(cells.finish(about));
    }
    return { name, rows, columns, mayHaveCommas: false };
  } catch (thrown) {
    if (thrown instanceof TableError || thrown instanceof RangeError) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TableError("unreadable-file", OF_TABLES.brokenParquet(name, why));
  }
}

type Element = SchemaTree["element"];

/** The narrowest name of a type that the file gives. */
function typeOf({ type, converted_type: converted, logical_type: logical }: Element): string {
  return logical?.type ?? converted ?? type ?? "group";
}

/** What a column holds, by the rules of the command's engine. */
function storageOf({ element, children }: Pick<SchemaTree, "element" | "children">): Storage {
  if (children.length > 0 || element.repetition_type === "REPEATED") return "other";
  const { type } = element;
  const kind = typeOf(element);
  if (/^(?:DATE|TIME)/.test(kind) || type === "INT96") return "time";
  if (/^(?:UTF8|STRING|ENUM|JSON|UUID)$/.test(kind)) return "text";
  if (type === "BOOLEAN") return "boolean";
  const isNumber = /^(?:INT32|INT64|FLOAT|DOUBLE)$/.test(type ?? "") || /^(?:DECIMAL|FLOAT16)$/.test(kind);
  return isNumber ? "number" : "other";
}

/** How values of a column are written. */
function textsOf(element: Element): (value: unknown) => string {
  const kind = typeOf(element);
  if (kind === "DECIMAL") return (value) => (value as number).toFixed(element.scale ?? 0);
  if (/^(?:FLOAT|DOUBLE|FLOAT16)$/.test(kind)) return (value) => doubleText(value as number);
  return (value) => {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
    return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
  };
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Powers of ten from which on a number is written with an exponent. */
const [SMALL, LARGE] = [-4, 16];

/** A double as the command's engine writes it: 1.0, 0.1, 1e-05, 1e+16. */
export function doubleText(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  const [digits, exponent] = x.toExponential().split("e");
  const power = Number(exponent);
  if (x !== 0 && (power < SMALL || power >= LARGE))
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const text = Object.is(x, -0) ? "-0" : String(x);
  return Number.isInteger(x) ? `${text}.0` : text;
}
