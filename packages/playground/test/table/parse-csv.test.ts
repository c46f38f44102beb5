import { expect, test } from "vitest";
import { formatCsv, parseCsv } from "../../src/table/parse-csv.ts";

test("cells in quotes hold separators, line ends and quotes", () => {
  const { header, rows } = parseCsv('a,b\r\n"x, y","say ""hi"""\r\n"two\nlines",\r\n');
  expect(header).toEqual(["a", "b"]);
  expect(rows).toEqual([
    ["x, y", 'say "hi"'],
    ["two\nlines", ""],
  ]);
});

test.each([
  [",", "a,b\n1,2"],
  [";", "a;b\n1;2"],
  ["\t", "a\tb\n1\t2"],
  ["|", "a|b\n1|2"],
])("the separator %j is found", (separator, text) => {
  expect(parseCsv(text)).toEqual({ separator, header: ["a", "b"], rows: [["1", "2"]] });
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
  expect(() => parseCsv('a,b\n1,2\n"open,3')).toThrow("the quotes in line 3 do not match");
});

test("what is written reads back", () => {
  const rows = [
    ["a", "b,c", 'd"e'],
    ["", "f\ng", " h "],
  ];
  const { header, rows: body } = parseCsv(formatCsv(rows));
  expect([header, ...body]).toEqual(rows);
});
