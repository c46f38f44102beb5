import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { readRecords } from "conformant-workbench";
import { readWorkbookText, type WorkbookOptions } from "conformant-workbench/workbook";
import { expect, test } from "vitest";
import { resolvePart } from "../../src/workbook/open-workbook.ts";

const COMMAS = { separator: ",", quote: '"', escape: '"' };
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/workbooks/${name}`, import.meta.url));

async function read(
  bytes: Buffer,
  options: Partial<WorkbookOptions> = {},
): Promise<{ text: string; notes: string[] }> {
  const notes: string[] = [];
  const file = {
    name: "book.xlsx",
    size: bytes.length,
    read: async (from: number, to: number) => bytes.subarray(from, to),
    inflate: (packed: AsyncIterable<Uint8Array>) => Readable.from(packed).compose(createInflateRaw()),
  };
  let text = "";
  const lines = readWorkbookText(file, { toChoose: "--sheet", note: (note) => notes.push(note), ...options });
  for await (const line of lines) text += line;
  return { text, notes };
}

/** The fields of a CSV text; numbers in one spelling, because Python writes 2.5e+20 and JavaScript 250000000000000000000. */
function fields(text: string): string[][] {
  return readRecords(text, COMMAS, 1e6).map((record) =>
    record.fields.map((field) =>
      /^-?\d+([.]\d+)?(e[-+]\d+)?$/.test(field) && field !== "007" ? String(Number(field)) : field,
    ),
  );
}

test.each(["openpyxl", "xlsxwriter", "inline", "since-1904"])(
  "the table on the first sheet is the one that the library wrote: %s",
  async (name) => {
    const { text } = await read(fixture(`${name}.xlsx`));
    expect(fields(text)).toEqual(fields(fixture(`${name}.csv`).toString()));
  },
);

test("what is skipped, repeated or ignored is counted", async () => {
  const { notes } = await read(fixture("xlsxwriter.xlsx"));
  expect(notes).toEqual([
    '"book.xlsx", sheet "Report": 2 rows above the header are skipped',
    '"book.xlsx", sheet "Report": the header has two rows, whose texts are joined as in "2023 price"',
    '"book.xlsx", sheet "Report": 2 cells with an error (#N/A, #DIV/0!) are missing',
    '"book.xlsx", sheet "Report": values of merged cells are repeated in 12 rows that they span',
    '"book.xlsx", sheet "Report": 1 cell beside the table is ignored, the first is N20',
  ]);
});

test("a sheet is chosen by its name, and results that are not stored are missing", async () => {
  const book = fixture("openpyxl.xlsx");
  expect((await read(book)).notes).toEqual([
    '"book.xlsx": read sheet "Birds & <bees>"; --sheet chooses another: "empty", "formulas"',
  ]);
  expect(await read(book, { sheet: "formulas" })).toEqual({
    text: "x,y\n1,\n",
    notes: [expect.stringMatching(/sheet "formulas": 1 formula without a stored result is missing/)],
  });
  await expect(read(book, { sheet: "wings" })).rejects.toThrow(
    '"book.xlsx" has no sheet "wings", there are "Birds & <bees>", "empty", "formulas"',
  );
  await expect(read(book, { sheet: "empty" })).rejects.toThrow('sheet "empty": the sheet is empty');
});

test("numbers and dates are written in the styles that a model expects", async () => {
  const styleOf = (column: string) =>
    ({
      number: { decimal: "comma", grouped: false } as const,
      day: { decimal: "point", grouped: false, date: "day/month/year" } as const,
    })[column];
  const { text } = await read(fixture("openpyxl.xlsx"), { styleOf });
  expect(text).toContain(",-6,28/02/1900,2000-02-11 16:59:58,");
  expect(text).toContain(",3,04/03/1900,");
});

test("a file that ends early, or is another archive, is an error and never a table", async () => {
  const book = fixture("inline.xlsx");
  for (const length of [4, 30, 1000, book.length - 30, book.length - 1])
    await expect(read(book.subarray(0, length))).rejects.toThrow(/is cut off or damaged/);
  // A changed byte is a damaged archive, another text, or no difference, but no other failure.
  for (let at = 0; at < book.length; at += 37) {
    const changed = Buffer.from(book);
    changed[at] ^= 0x55;
    await read(changed).catch((thrown: Error) => expect(thrown.name).toBe("TableError"));
  }
});

test.each([
  ["worksheets/sheet1.xml", "xl/worksheets/sheet1.xml"],
  ["./worksheets/sheet1.xml", "xl/worksheets/sheet1.xml"],
  ["../customXml/item1.xml", "customXml/item1.xml"],
  ["/xl/styles.xml", "xl/styles.xml"],
  ["worksheets//sheet1.xml", "xl/worksheets/sheet1.xml"],
])("a relation of a workbook points to a part: %s", (target, part) => {
  expect(resolvePart("xl/", target)).toBe(part);
});
