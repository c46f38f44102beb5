import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cellText } from "conformant-workbench";
import { expect, test } from "vitest";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { doubleText, readParquetTable } from "../../src/worker/read-parquet-table.ts";

const place = new Workplace();

const COLUMNS = {
  tiny: "(i % 5)::TINYINT",
  whole: "i * 1000003",
  huge: "(i * 90071992547)::UBIGINT",
  double: "CASE WHEN i % 9 = 0 THEN NULL ELSE i / 8.0 - 3 END",
  small: "pow(10, -(i % 9)) * 3",
  money: "(i * 7 % 1000)::DECIMAL(9, 2) / 8",
  flag: "i % 3 = 0",
  word: "CASE WHEN i % 4 = 0 THEN NULL ELSE 'ä' || i % 6 END",
  code: "uuid()",
  mood: "(['sad', 'ok'][1 + i % 2])::ENUM('sad', 'ok')",
  day: "DATE '2024-02-28' + (i % 3)::INTEGER",
  moment: "TIMESTAMP '2024-02-28 01:02:03' + INTERVAL 1 HOUR * i",
  list: "[i, i]",
  bytes: "'\\x00\\x01'::BLOB",
};

test.each(["uncompressed", "snappy", "gzip", "zstd", "lz4_raw"])(
  "columns are what the engine says they are, and their texts what it writes: %s",
  async (codec) => {
    const file = join(place.folder, `${codec}.parquet`);
    const columns = Object.entries(COLUMNS).map(([name, sql]) => `${sql} AS ${name}`);
    await duckdb(
      `COPY (SELECT ${columns.join(", ")} FROM range(5000) AS r(i)) TO '${file}' (CODEC '${codec}', ROW_GROUP_SIZE 2048)`,
    );
    const table = await readParquetTable("x.parquet", new Blob([readFileSync(file)]));
    expect(table.rows).toBe(5000);
    const compared = table.columns.filter(({ storage }) => storage !== "other" && storage !== "time");
    const casts = compared.map(({ name }) => `${name}::VARCHAR`);
    const rows = await duckdb(`SELECT ${casts.join(", ")} FROM '${file}'`);
    const own = rows.map((_, row) => compared.map((column) => cellText(column, row)));
    expect(own).toEqual(rows);
    expect(Object.fromEntries(table.columns.map(({ name, storage }) => [name, storage]))).toEqual({
      ...{
        tiny: "number",
        whole: "number",
        huge: "number",
        double: "number",
        small: "number",
        money: "number",
      },
      ...{ flag: "boolean", word: "text", code: "text", mood: "text" },
      ...{ day: "time", moment: "time", list: "other", bytes: "other" },
    });
  },
);

test("doubles are written as the engine writes them", async () => {
  const numbers = [
    0,
    -0,
    1,
    -1,
    0.1,
    1e15,
    1e16,
    123456789012345680,
    1e-4,
    1e-5,
    1.5e-7,
    1e100,
    5e-324,
    1 / 3,
  ];
  const casts = numbers.map((x) => `'${Object.is(x, -0) ? "-0" : x}'::DOUBLE::VARCHAR`);
  const [row] = await duckdb(`SELECT ${casts.join(", ")}`);
  expect(numbers.map(doubleText)).toEqual(row);
});

test("a file that is cut or made up is refused in words", async () => {
  const file = join(place.folder, "whole.parquet");
  await duckdb(`COPY (SELECT i FROM range(100) AS r(i)) TO '${file}'`);
  const bytes = readFileSync(file);
  for (const broken of [bytes.subarray(0, 40), Buffer.concat([bytes.subarray(0, 50), Buffer.alloc(60)])])
    await expect(readParquetTable("x.parquet", new Blob([broken]))).rejects.toThrow(/"x.parquet"/);
});
