import { expect, test } from "vitest";
import { readCsvTable } from "../../src/memory/read-csv-table.ts";
import { readJsonTable } from "../../src/memory/read-json-table.ts";

const PIECE = 1 << 18;
/** A record may have 4 MiB, of which a piece more has come when that is noticed. */
const ENOUGH = 2 ** 22 / PIECE + 8;

test.each([
  ["a quote that is not closed", 'a,b\n1,2\n3,"', readCsvTable, /row 2 .*a quote may not be closed/],
  ["a single line", "", readCsvTable, /expected lines of at most|csv/],
  ["JSON without lines", '{"a":"', readJsonTable, /line 1: expected a JSON object/],
])("%s ends the reading of a large file soon, in words", async (_, head, read, words) => {
  let taken = 0;
  async function* pieces(): AsyncGenerator<string> {
    yield head;
    for (; taken < 10 * ENOUGH; taken++) yield "x".repeat(PIECE);
  }
  await expect(read("x", pieces(), { tooLarge: "", twiceNamed: "" })).rejects.toThrow(words);
  expect(taken).toBeLessThan(ENOUGH);
});
