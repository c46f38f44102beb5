import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
let expected = "";

/** The predictions of the quickest model from one source on itself: equal only if it was read alike. */
function roundTrip(source: readonly string[]): string {
  const quick = ["--components", "1", "--train-on", "complete"];
  succeed(["fit", ...source, "--label", "species", ...quick, "-o", "m.json"], { cwd });
  return succeed(["predict", "m.json", ...source], { cwd }).stdout;
}

beforeAll(async () => {
  expected = roundTrip(["penguins.csv"]);
  const csv = place.read("penguins.csv");
  place.write("p.tsv", csv.replaceAll(",", "\t"));
  place.write("p.csv.gz", gzipSync(csv));
  place.write("semicolon.csv", csv.replaceAll(",", ";").replaceAll(".", ","));
  place.write("blanks.csv", csv.replaceAll(",", ", "));
  place.write("bom.csv", `\ufeff${csv.replaceAll("\n", "\r\n")}`);
  place.write("utf16.csv", Buffer.from(`\ufeff${csv}`, "utf16le"));
  const from = `SELECT * FROM '${place.path("penguins.csv")}'`;
  await duckdb(
    `COPY (${from}) TO '${place.path("p.parquet")}' (FORMAT parquet)`,
    `COPY (${from}) TO '${place.path("p.json")}' (FORMAT json, ARRAY true)`,
    `COPY (${from}) TO '${place.path("p.jsonl")}' (FORMAT json)`,
    `ATTACH '${place.path("p.db")}' AS d`,
    `CREATE TABLE d.penguins AS ${from}`,
  );
});

test.each([
  ["tab-separated", ["p.tsv"]],
  ["gzip", ["p.csv.gz"]],
  ["semicolons and decimal commas", ["semicolon.csv"]],
  ["a blank after every comma", ["blanks.csv"]],
  ["a byte order mark and Windows line ends", ["bom.csv"]],
  ["UTF-16", ["utf16.csv"]],
  ["Parquet", ["p.parquet"]],
  ["JSON", ["p.json"]],
  ["JSON lines", ["p.jsonl"]],
  ["a DuckDB file", ["duckdb:p.db#penguins"]],
  ["a query on a file", ["penguins.csv", "--sql", "SELECT * FROM data"]],
  ["a query on a DuckDB file", ["duckdb:p.db", "--sql", "SELECT * FROM penguins;"]],
])("%s is read as the plain CSV file is", (_, source) => {
  expect(roundTrip(source)).toBe(expected);
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

test("a table of a DuckDB file must be named and must exist", () => {
  expect(conformant(["fit", "duckdb:p.db", "--label", "species"], { cwd })).toMatchObject({ status: 2 });
  const { status, stderr } = conformant(["fit", "duckdb:p.db#birds", "--label", "species"], { cwd });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error\[source\]: .*birds/);
});
