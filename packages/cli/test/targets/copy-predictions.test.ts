import { DuckDBInstance } from "@duckdb/node-api";
import { guardFormula } from "conformant-workbench";
import { expect, test } from "vitest";
import { guardSql } from "../../src/targets/copy-predictions.ts";

/** What the texts are put together from: all that a formula or a number may begin with, and what may follow. */
const PIECES = [
  ..."=+-@＝＋－＠\t\r\n '\"%.,eE09",
  ...["inf", "INFINITY", "12", "x", "é", "\u00a0", "\u202f", "\u2003", "😀", "SUM(A1)"],
];

test("DuckDB guards the texts that the library does, and no others", async () => {
  const texts = ["", ...PIECES];
  for (const first of PIECES)
    for (const second of PIECES) {
      texts.push(first + second);
      for (const third of PIECES) texts.push(first + second + third);
    }
  texts.push("-.5e-7", "-1,5 %", "+49 30 1234", "-2026-01-01", "+1e5", "-1.e5%");
  const connection = await (await DuckDBInstance.create()).connect();
  const list = texts.map((text) => `('${text.replaceAll("'", "''")}')`).join(", ");
  const result = await connection.runAndReadAll(`SELECT t, ${guardSql("t")} FROM (VALUES ${list}) AS v(t)`);
  const guarded = new Map(result.getRows() as unknown as [string, string][]);
  connection.closeSync();
  expect(guarded.size).toBe(new Set(texts).size);
  for (const text of texts) expect(guarded.get(text), JSON.stringify(text)).toBe(guardFormula(text));
});
