import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { bytesOf, fitQuickly, predictQuickly } from "../support/fit-in-process.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** The quickest model of a file and its probabilities on the same file: equal only if it was read alike. */
async function roundTrip(name: string): Promise<{ model: string; probabilities: number[] }> {
  const data = /^\w+:/.test(name) ? name.replace(":", `:${cwd}/`) : place.path(name);
  const fitted = await fitQuickly(data, { label: "species" });
  return { model: bytesOf(fitted), probabilities: await predictQuickly(fitted.model, data, {}) };
}

let plain: Awaited<ReturnType<typeof roundTrip>>;

beforeAll(async () => {
  plain = await roundTrip("penguins.csv");
  const csv = place.read("penguins.csv");
  place.write("p.tsv", csv.replaceAll(",", "\t"));
  place.write("p.csv.gz", gzipSync(csv));
  place.write("semicolon.csv", csv.replaceAll(",", ";").replaceAll(".", ","));
  place.write("blanks.csv", csv.replaceAll(",", ", "));
  place.write("bom.csv", `\ufeff${csv.replaceAll("\n", "\r\n")}`);
  place.write("utf16.csv", Buffer.from(`\ufeff${csv}`, "utf16le"));
  place.write("utf16be.csv", Buffer.from(`\ufeff${csv}`, "utf16le").swap16());
  place.write("mac.csv", csv.replaceAll("\n", "\r"));
  place.write("mixed.csv", csv.replace("\n", "\r\n"));
  place.write("title.csv", `Penguins of 2009\n\n${csv}`);
  const workbook = "../../../workbench/test/fixtures/workbooks/penguins.xlsx";
  place.write("p.xlsx", readFileSync(new URL(workbook, import.meta.url)));
  const from = `SELECT * FROM '${place.path("penguins.csv")}'`;
  await duckdb(
    `COPY (${from}) TO '${place.path("p.parquet")}' (FORMAT parquet)`,
    `COPY (${from}) TO '${place.path("p.json")}' (FORMAT json, ARRAY true)`,
    `COPY (${from}) TO '${place.path("p.jsonl")}' (FORMAT json)`,
    `ATTACH '${place.path("p.db")}' AS d`,
    `CREATE TABLE d.penguins AS ${from}`,
  );
  place.write("utf16.jsonl", Buffer.from(`\ufeff${place.read("p.jsonl")}`, "utf16le"));
  place.write("latin1.json.gz", gzipSync(Buffer.from(place.read("p.json"), "latin1")));
});

test.each([
  ["tab-separated", "p.tsv"],
  ["gzip", "p.csv.gz"],
  ["semicolons and decimal commas", "semicolon.csv"],
  ["a blank after every comma", "blanks.csv"],
  ["a byte order mark and Windows line ends", "bom.csv"],
  ["UTF-16", "utf16.csv"],
  ["UTF-16 with the larger byte first", "utf16be.csv"],
  ["line ends of the old Macintosh", "mac.csv"],
  ["a line end of Windows behind the header alone", "mixed.csv"],
  ["a title and an empty line above the header", "title.csv"],
  ["Parquet", "p.parquet"],
  ["an Excel workbook", "p.xlsx"],
  ["JSON", "p.json"],
  ["JSON lines", "p.jsonl"],
  ["JSON lines in UTF-16", "utf16.jsonl"],
  ["a DuckDB file", "duckdb:p.db#penguins"],
])("%s is read as the plain CSV file is", async (_, name) => {
  expect(plain.probabilities).toHaveLength(3 * 344);
  expect(await roundTrip(name)).toEqual(plain);
});

test("the command reads by its options, and by their names, what it reads from the plain CSV file", () => {
  const [first, ...others] = [
    ["p.csv.gz"],
    ["latin1.json.gz", "--encoding", "latin-1"],
    ["penguins.csv", "--sql", "SELECT * FROM data"],
    ["duckdb:p.db", "--sql", "SELECT * FROM penguins;"],
  ].map((source) => {
    const quick = ["--components", "1", "--numeric", "atoms", "--train-on", "complete"];
    succeed(["fit", ...source, "--label", "species", ...quick, "-o", "m.json"], { cwd });
    return succeed(["predict", "m.json", ...source], { cwd }).stdout;
  });
  for (const other of others) expect(other).toBe(first);
});

test("JSON lines whose first objects leave names out have the columns in the order of those that are whole", async () => {
  const rows = place
    .read("p.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const known = rows.map((row) => Object.entries(row).filter(([, value]) => value !== null));
  const first = Object.entries(rows[0])
    .filter(([name]) => name === "species" || name === "sex")
    .reverse();
  expect(rows.some((row, r) => known[r].length < Object.keys(row).length)).toBe(true);
  place.write(
    "sparse.jsonl",
    [first, ...known].map((entries) => JSON.stringify(Object.fromEntries(entries))).join("\n"),
  );
  place.write(
    "whole.jsonl",
    [Object.fromEntries(first), ...rows].map((row) => JSON.stringify(row)).join("\n"),
  );
  expect(await roundTrip("sparse.jsonl")).toEqual(await roundTrip("whole.jsonl"));
});

test.each([
  ["rows that are no objects", '{"a":1}\n[2]\n', /expected JSON objects/],
  ["a list of numbers", "[1,2,3]", /expected JSON objects/],
  ["nothing but null", "null\n", /expected JSON objects/],
  ["objects without names", "{}\n{}\n", /has no columns, expected at least one/],
])("JSON with %s is refused", (_, text, said) => {
  place.write("odd.jsonl", text);
  expect(conformant(["fit", "odd.jsonl", "--label", "a"], { cwd }).stderr).toMatch(said);
});

test("lists and objects in JSON are left out by name, however few rows have them", () => {
  const rows = Array.from({ length: 30 }, (_, r) => ({
    x: r % 7,
    note: "[not a list] {nor an object}",
    tags: r === 20 ? ["a"] : null,
    deep: r === 21 ? { b: 1 } : null,
    y: r % 2 ? "yes" : "no",
  }));
  place.write("nested.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
  const { stderr } = succeed(["fit", "nested.jsonl", "--label", "y", "-o", "nested.json"], { cwd });
  expect(stderr).toMatch(/tags.*list/);
  expect(stderr).toMatch(/deep.*object/);
});

test.each([
  ["lines", (objects: string[]) => objects.join("\n")],
  ["a list", (objects: string[]) => `[${objects.join(",\n")}]`],
])("what is no JSON is named by its place, counted from 1: %s", (_, write) => {
  place.write("wrong.json", write(['{"a": 1}', '{"a": 2}', '{"a": 3 b}', '{"a": 4}']));
  const { stderr } = conformant(["fit", "wrong.json", "--label", "a", "-o", "m.json"], { cwd });
  expect(stderr).toMatch(/in (?:line|record\/value) 3: /);
});

test("a file without a header has numbered columns, also where every column holds texts", () => {
  const rows = Array.from({ length: 40 }, (_, i) => `${"ab"[i % 2]},${"xyz"[i % 3]}`).join("\n");
  place.write("bare.csv", rows);
  expect(succeed(["fit", "bare.csv", "--label", "column0", "-o", "bare.json"], { cwd }).stdout).toContain(
    "40 rows",
  );
  expect(
    succeed(["fit", "bare.csv", "--header", "yes", "--label", "a", "-o", "bare.json"], { cwd }).stdout,
  ).toContain("39 rows");
});

test("a file in an encoding of Windows is read by its name, packed or not; what is no text is refused with a hint", () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) => `${i % 7},${i % 3 ? "wei\xdf" : "\x93rot\x94"},${"ab"[i % 2]}\n`,
  );
  const bytes = Buffer.from(`x,farbe,label\n${rows.join("")}`, "latin1");
  place.write("windows.csv", bytes);
  place.write("windows.csv.gz", gzipSync(bytes));
  place.write("wide.csv", Buffer.from(`x,label\n${"1,a\n2,b\n".repeat(20)}`, "utf16le"));
  const outcome = (...words: readonly string[]): ReturnType<typeof conformant> =>
    conformant(["fit", ...words, "--components", "1", "-o", "w.json", "--quiet"], { cwd });
  for (const file of ["windows.csv", "windows.csv.gz"]) {
    expect(outcome(file, "--label", "label").stderr).toMatch(
      /^error\[csv\]: .* not in UTF-8\nhint: .*--encoding/,
    );
    expect(outcome(file, "--label", "label", "--encoding", "windows-1252").status).toBe(0);
    expect(place.read("w.json")).toContain('"values":["weiß","“rot”"]');
  }
  expect(outcome("windows.csv", "--label", "label", "--encoding", "klingon")).toMatchObject({ status: 2 });
  expect(outcome("wide.csv", "--label", "label").stderr).toMatch(
    /^error\[csv\]: .*NUL.*\nhint: .*--encoding utf-16/,
  );
  expect(outcome("wide.csv", "--label", "label", "--encoding", "utf-16").stderr).not.toMatch(/NUL/);
});

test("a quote that is not closed is named with its row", () => {
  place.write("quote.csv", `x,label\n1,a\n2,b\n"3,a\n${"4,b\n5,a\n".repeat(20)}`);
  const { status, stderr } = conformant(["fit", "quote.csv", "--label", "label"], { cwd });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error\[csv\]: "quote.csv".*quote/);
});

test("a table of a DuckDB file must be named and must exist", () => {
  expect(conformant(["fit", "duckdb:p.db", "--label", "species"], { cwd })).toMatchObject({ status: 2 });
  const { status, stderr } = conformant(["fit", "duckdb:p.db#birds", "--label", "species"], { cwd });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error\[source\]: .*birds/);
});
