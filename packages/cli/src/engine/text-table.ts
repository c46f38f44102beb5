import type { TextColumn, TextTable } from "conformant-workbench";
import type { SentColumn, SentTable } from "./requests.ts";

/** A sent table as one in memory. */
export function textTable({ name, rows }: SentTable, columns: readonly SentColumn[]): TextTable {
  return { name, rows, columns: columns.map(textColumn), mayHaveCommas: false };
}

function textColumn({ name, storage, type, texts, numbers, codes }: SentColumn): TextColumn {
  const values =
    numbers === undefined ? (texts ?? []) : Array.from(new Float64Array(memoryOf(numbers)), String);
  return { name, storage, type, unnamed: false, texts: values, codes: new Int32Array(memoryOf(codes)) };
}

/** Base64 as memory of its own: a decoded buffer may start anywhere, an array of numbers may not. */
function memoryOf(base64: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(base64, "base64")).buffer;
}
