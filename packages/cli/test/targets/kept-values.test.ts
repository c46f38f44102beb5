import { existsSync } from "node:fs";
import { saveModel } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { fitQuickly } from "../support/fit-in-process.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const model = place.path("m.json");

/** Keys that a double, a guessed type or a rewriting would change. */
const KEYS = [
  "1234567890123456789",
  "1234567890123456790",
  "007",
  "-0",
  "1.50",
  "1.5",
  "1e5",
  "1.000000000000000002",
  "99999999999999999999999999999999999999999",
  "2024-01-02",
  "2024-01-02 03:04:05",
  "2024-01-02T03:04:05.123456789Z",
  "+5",
  " padded ",
  "NA",
  "it's",
  "été 😀",
];

beforeAll(async () => {
  place.write(
    "fit.csv",
    `x,y\n${Array.from({ length: 40 }, (_, r) => `${r % 8},${r % 8 > 3 ? "b" : "a"}\n`).join("")}`,
  );
  const { model: fitted } = await fitQuickly(place.path("fit.csv"), { label: "y" });
  place.write("m.json", saveModel(fitted));
});

/** The kept column of a result in CSV without quotes inside of its fields. */
function keysOf(csv: string): string[] {
  return csv
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) =>
      line
        .split(",")
        .slice(3)
        .join(",")
        .replace(/^"(.*)"$/s, "$1")
        .replaceAll('""', '"'),
    );
}

const FILTERS: Readonly<Record<string, readonly string[]>> = {
  none: [],
  where: ["--where", "x >= 0"],
  since: ["--since", "x=0"],
  sql: ["--sql", "SELECT * FROM data WHERE x >= 0"],
  columns: ["--sql", "SELECT id, x FROM data AS d ORDER BY 1 + 1"],
  nested: ["--sql", "SELECT id, x + 0 AS x FROM (SELECT * FROM data WHERE x < 1000)", "--where", "x >= 0"],
};

test.each(Object.keys(FILTERS))(
  "CSV, filter %s: one kind of key in a column comes out as it stands",
  async (filter) => {
    for (const key of KEYS) {
      place.write("one.csv", `id,x\n${key},1\n${key},2\n`);
      const { status, stdout, said } = await runInProcess([
        "predict",
        model,
        place.path("one.csv"),
        "--keep",
        "id",
        "--raw",
        ...FILTERS[filter],
      ]);
      expect(status, said).toBe(0);
      expect(keysOf(stdout), key).toEqual([key, key]);
    }
  },
);

test.each(Object.keys(FILTERS))("CSV and JSON, filter %s: different keys stay different", async (filter) => {
  place.write("all.csv", `id,x\n${KEYS.map((key, r) => `${key},${r}\n`).join("")}`);
  place.write("all.jsonl", KEYS.map((key, r) => `{"id":${JSON.stringify(key)},"x":${r}}\n`).join(""));
  for (const file of ["all.csv", "all.jsonl"]) {
    const { stdout, said } = await runInProcess([
      "predict",
      model,
      place.path(file),
      "--keep",
      "id",
      "--raw",
      ...FILTERS[filter],
    ]);
    expect(keysOf(stdout), said).toEqual(KEYS);
  }
});

const NUMBERS = KEYS.filter((key) => /^-?(0|[1-9]\d*)(\.\d+)?(e\d+)?$/.test(key));

test.each(Object.keys(FILTERS))("JSON, filter %s: numbers keep their digits", async (filter) => {
  place.write(
    "n.jsonl",
    NUMBERS.map((key, r) => `{"note":"a 1.50, \\"-0\\" 1e5","id":${key},"x":${r}}\n`).join(""),
  );
  const { stdout, said } = await runInProcess([
    "predict",
    model,
    place.path("n.jsonl"),
    "--keep",
    "id",
    ...FILTERS[filter],
  ]);
  expect(keysOf(stdout), said).toEqual(NUMBERS);
});

test("a query that computes gets exact values of whole columns, and keys that it groups by stay different", async () => {
  place.write("two.csv", "id,x\n1234567890123456789,1\n1234567890123456790,2\n1234567890123456790,3\n");
  const { stdout, said } = await runInProcess([
    "predict",
    model,
    place.path("two.csv"),
    "--keep",
    "id",
    "--sql",
    "SELECT id, max(x) AS x FROM data GROUP BY id ORDER BY id",
  ]);
  expect(keysOf(stdout), said).toEqual(["1234567890123456789", "1234567890123456790"]);
  place.write("three.csv", "id,x\n007,1\n7,2\n");
  const other = await runInProcess([
    "predict",
    model,
    place.path("three.csv"),
    "--keep",
    "id",
    "--sql",
    "SELECT id, max(x) AS x FROM data GROUP BY id ORDER BY id",
  ]);
  expect(keysOf(other.stdout), other.said).toEqual(["007", "7"]);
});

test("constants of a query keep their digits", async () => {
  place.write("two.csv", "id,x\n1234567890123456789,1\n1234567890123456790,2\n");
  const { stdout, said } = await runInProcess([
    "predict",
    model,
    place.path("two.csv"),
    "--keep",
    "id,one",
    "--sql",
    "SELECT *, 1.0 / 2 AS one FROM data WHERE id = 1234567890123456790",
  ]);
  expect(keysOf(stdout), said).toEqual(["1234567890123456790,0.5"]);
});

test("numbers beyond 2⁵³ are never said to be one number: they are left out with the reason, or rounded with a note", async () => {
  const rows = (id: (r: number) => string): string =>
    `id,x,y\n${Array.from({ length: 40 }, (_, r) => `${id(r)},${r % 8},${r % 8 > 3 ? "b" : "a"}\n`).join("")}`;
  const near = place.write(
    "near.csv",
    rows((r) => `900719925474099${r % 2 ? 3 : 2}`),
  );
  const reasonOf = async (data: string): Promise<string> =>
    (await fitQuickly(data, { label: "y" })).report.reading.leftOut.map(({ why }) => why).join("\n");
  expect(await reasonOf(near)).toMatch(
    /such as 9007199254740993, have more digits than a floating-point number.*--type/,
  );
  const exact = await fitQuickly(near, { label: "y", types: new Map([["id", "categorical"]]) });
  expect(saveModel(exact.model)).toContain('"9007199254740993"');
  const wide = place.write(
    "wide.csv",
    rows((r) => `${9007199254740993n + BigInt(r % 7) * 1000n}`),
  );
  expect((await fitQuickly(wide, { label: "y" })).said.join("\n")).toMatch(
    /doubles, which round 900719925474(?<thousands>\d)993 to 900719925474\k<thousands>992/,
  );
  const same = place.write(
    "same.csv",
    rows((r) => (r % 2 ? "1" : "1.0")),
  );
  expect(await reasonOf(same)).toMatch(/^it is 1 in every row/);
});

test("decimals keep all digits: as kept columns, as categories, and as classes", async () => {
  const file = place.path("decimals.duckdb");
  const value = "CAST('1.00000000000000000' || CAST(2 + n % 2 AS VARCHAR) AS DECIMAL(38, 18))";
  await duckdb(
    `ATTACH '${file}' AS f`,
    `CREATE TABLE f.t AS SELECT n % 8 AS x, ${value} AS d, '"' || n AS t, CAST(n AS DECIMAL(10, 2)) AS w FROM range(40) AS r(n)`,
  );
  const kept = await runInProcess([
    "predict",
    model,
    `duckdb:${file}#t`,
    "--keep",
    "d,w",
    "--where",
    "x < 2",
  ]);
  expect(keysOf(kept.stdout).slice(0, 2), kept.said).toEqual([
    "1.000000000000000002,0.00",
    "1.000000000000000003,1.00",
  ]);
  const { model: labelled } = await fitQuickly(`duckdb:${file}#t`, { label: "d", columns: ["x"] });
  expect(labelled.response.outputs).toEqual(["1.000000000000000002", "1.000000000000000003"]);
  const whole = await fitQuickly(`duckdb:${file}#t`, { label: "w", columns: ["x"], where: "w < 3" });
  expect(whole.model.response.outputs).toEqual(["0", "1", "2"]);
});

test("columns whose names differ in case alone are kept in Parquet, and refused by name where a table of DuckDB is written", async () => {
  place.write("case.csv", "UPPER,upper,x\n007,1.50,1\n8,2.5,2\n");
  for (const words of [[], ["--where", "x > 0"], ["--surprise"]]) {
    const output = place.path("case.parquet");
    const { status, said } = await runInProcess([
      "predict",
      model,
      place.path("case.csv"),
      "--keep",
      "UPPER,upper",
      "-o",
      output,
      ...words,
    ]);
    expect(status, said).toBe(0);
    const names = (await duckdb(`SELECT name FROM parquet_schema('${output}')`)).flat().slice(1);
    expect(names.filter((name) => /^upper/i.test(String(name)))).toEqual(["UPPER", "upper"]);
    const again = await runInProcess([
      "predict",
      model,
      output,
      "--keep",
      "UPPER,upper",
      "--sql",
      "SELECT *, 1 AS x FROM data",
    ]);
    expect(keysOf(again.stdout), again.said).toEqual(["007,1.50", "8,2.5"]);
  }
  const file = place.path("case.duckdb");
  await duckdb(`ATTACH '${file}' AS f`, "CREATE TABLE f.t AS SELECT 1 AS x, 2 AS RUN");
  const refused = await runInProcess([
    "predict",
    model,
    `duckdb:${file}#t`,
    "--keep",
    "RUN",
    "--into",
    "scores",
  ]);
  expect(refused.said).toMatch(/error\[usage\]: --into "scores": .* both "RUN" and "run"/);
});

test("whole numbers of 128 bits stay whole in Parquet, and one with too many digits is an error that names the column", async () => {
  const file = place.path("huge.duckdb");
  await duckdb(
    `ATTACH '${file}' AS f`,
    "CREATE TABLE f.t AS SELECT 1 AS x, 12345678901234567890123456789012345678::HUGEINT AS h, INTERVAL 1 microsecond AS i, [1::HUGEINT] AS l",
    "CREATE TABLE f.large AS SELECT 1 AS x, 123456789012345678901234567890123456789::HUGEINT AS h",
  );
  const output = place.path("huge.parquet");
  for (const words of [[], ["--surprise"]]) {
    const kept = await runInProcess([
      "predict",
      model,
      `duckdb:${file}#t`,
      "--keep",
      "h,i,l",
      "-o",
      output,
      ...words,
    ]);
    expect(kept.status, kept.said).toBe(0);
    expect(await duckdb(`SELECT h::VARCHAR, i::VARCHAR, l::VARCHAR FROM '${output}'`)).toEqual([
      ["12345678901234567890123456789012345678", "00:00:00.000001", "[1]"],
    ]);
    const large = await runInProcess([
      "predict",
      model,
      `duckdb:${file}#large`,
      "--keep",
      "h",
      "-o",
      place.path("large.parquet"),
      ...words,
    ]);
    expect(large.said).toMatch(
      /error\[unwritable-output\]: .*column "h".*got "123456789012345678901234567890123456789"/,
    );
    expect(existsSync(place.path("large.parquet"))).toBe(false);
  }
});
