import { expect, test } from "vitest";
import { formatCsv, parseCsv } from "../../src/worker/parse-csv.ts";

test("cells in quotes hold separators, line ends and quotes", () => {
  const { header, rows } = parseCsv('a,b\r\n"x, y","say ""hi"""\r\n"two\nlines",\r\n');
  expect(header).toEqual(["a", "b"]);
  expect(rows).toEqual([
    ["x, y", 'say "hi"'],
    ["two\nlines", ""],
  ]);
});

test.each([
  ["a,b\n1,2", false],
  ["a;b\n1;2", true],
  ["a\tb\n1\t2", true],
  ["a|b\n1|2", true],
])("the separator of %j is found", (text, mayHaveCommas) => {
  expect(parseCsv(text)).toEqual({ header: ["a", "b"], rows: [["1", "2"]], mayHaveCommas });
});

test("a million rows without quotes are read in one pass", () => {
  // A search for the next quote in each row, to the end of the text, would take minutes.
  const { rows } = parseCsv(`a,b\n${"1,2\n".repeat(1_000_000)}`);
  expect(rows).toHaveLength(1_000_000);
});

test("line ends of both kinds in one file end lines", () => {
  expect(parseCsv('a,b\r\n1,2\n3,"4\n5"\r6,7\r\n').rows).toEqual([
    ["1", "2"],
    ["3", "4\n5"],
    ["6", "7"],
  ]);
});

test("the names are where those that are expected stand: below a remark, between others, or nowhere", () => {
  expect(parseCsv("# lab 7\na;b\n1;2\n3;4\n", ["b"])).toMatchObject({
    header: ["a", "b"],
    rows: [
      ["1", "2"],
      ["3", "4"],
    ],
  });
  expect(parseCsv("2019,b\n1,2\n", ["b"]).header).toEqual(["2019", "b"]);
  expect(parseCsv("x,y\nz,y\n", ["column0", "column1"])).toMatchObject({
    header: ["column0", "column1"],
    rows: [
      ["x", "y"],
      ["z", "y"],
    ],
  });
});

test("a line with a cell too many is refused, for its cells would stand in the wrong columns", () => {
  expect(() => parseCsv("a,b\n1,2\n1,5,2\n3,4\n")).toThrow("row 2 (line 3): expected 2 fields, found 3");
});

test("a byte order mark, blank lines and an open last line are no trouble", () => {
  expect(parseCsv("\uFEFFa,b\n\n1,\n,2").rows).toEqual([
    ["1", ""],
    ["", "2"],
  ]);
  expect(parseCsv("a\n7\n").rows).toEqual([["7"]]);
  expect(parseCsv("").rows).toEqual([]);
});

test("a quote that is never closed is an error that names the line", () => {
  expect(() => parseCsv('a,b\n1,2\n"open,3')).toThrow("row 2 (line 3): a quote is not closed");
});

test("what is written reads back", () => {
  const rows = [
    ["a", "b,c", 'd"e'],
    ["", "f\ng", " h "],
  ];
  const { header, rows: body } = parseCsv(formatCsv(rows));
  expect([header, ...body]).toEqual(rows);
});
