import { type GrowingOptions, readCsvTable, type TextTable } from "conformant-workbench";
import { readWorkbookText } from "conformant-workbench/workbook";
import { OF_TABLES } from "../frame/studio-texts.ts";
import type { TableChoices } from "./study-messages.ts";

/** Reads a sheet of an Excel workbook into memory. */
export function readWorkbookTable(
  name: string,
  content: Blob,
  { header, sheet }: Pick<TableChoices, "header" | "sheet">,
  growing: GrowingOptions,
  onSheets?: (names: readonly string[]) => void,
): Promise<TextTable> {
  const file = {
    name,
    size: content.size,
    read: async (from: number, to: number) => new Uint8Array(await content.slice(from, to).arrayBuffer()),
    inflate,
  };
  return readCsvTable(name, readWorkbookText(file, { sheet, onSheets, toChoose: OF_TABLES.toChooseSheet }), {
    ...growing,
    header,
    twiceNamed: OF_TABLES.twiceNamed,
    marks: { separator: ",", quote: '"', escape: '"' },
  });
}

/** Decompresses raw DEFLATE data. */
async function* inflate(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  const packed = new ReadableStream<BufferSource>({
    pull: async (controller) => {
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
