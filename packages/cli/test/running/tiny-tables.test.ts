import { expect, test } from "vitest";
import { tryTinyTables } from "../support/try-tiny-tables.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const FIRST = Array.from({ length: 30 }, (_, seed) => seed);

test("tiny tables with all kinds of options end, well or in one line", { timeout: 300_000 }, async () => {
  expect(await tryTinyTables(FIRST, place.folder)).toEqual([]);
});
