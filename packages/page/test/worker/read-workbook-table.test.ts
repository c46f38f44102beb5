import { readFileSync } from "node:fs";
import { cellText, readRecords } from "conformant-workbench";
import { expect, test } from "vitest";
import { readStudyFile } from "../../src/worker/read-study-file.ts";

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../workbench/test/fixtures/workbooks/${name}`, import.meta.url));

test("the studio reads the first sheet of a workbook as the command does", async () => {
  const content = new Blob([new Uint8Array(fixture("xlsxwriter.xlsx"))]);
  const table = await readStudyFile({ name: "report.XLSX", content }, {});
  const [header, ...rows] = readRecords(
    fixture("xlsxwriter.csv").toString(),
    { separator: ",", quote: '"', escape: '"' },
    1e6,
  );
  expect(table.columns.map(({ name }) => name)).toEqual(header.fields);
  const cells = rows.map((_, r) => table.columns.map((column) => cellText(column, r) ?? ""));
  expect(cells).toEqual(rows.map(({ fields }) => fields));
});

test("the studio reads the sheet that is named, and hears of all of them", async () => {
  const content = new Blob([new Uint8Array(fixture("openpyxl.xlsx"))]);
  const heard: string[] = [];
  const read = (sheet: string) =>
    readStudyFile({ name: "book.xlsx", content }, { sheet }, undefined, (names) => heard.push(...names));
  await expect(read("empty")).rejects.toThrow("the sheet is empty");
  expect(heard).toEqual(["Birds & <bees>", "empty", "formulas"]);
  expect((await read("formulas")).columns.length).toBeGreaterThan(0);
});

test("a damaged workbook is an error", async () => {
  const content = new Blob([new Uint8Array(fixture("xlsxwriter.xlsx").subarray(0, 3000))]);
  await expect(readStudyFile({ name: "report.xlsx", content }, {})).rejects.toThrow(
    '"report.xlsx" is cut off or damaged, expected an Excel workbook',
  );
});
