import { expect, test } from "vitest";
import { tryTinyTables, tryTinyTablesHere } from "../support/try-tiny-tables.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();

test("tiny tables with all kinds of options end, well or in one line", { timeout: 300_000 }, async () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => seed);
  expect(await tryTinyTablesHere(seeds, place.folder)).toEqual([]);
});

test("also where every command is a process of its own", { timeout: 300_000 }, async () => {
  const seeds = Array.from({ length: 6 }, (_, seed) => 100 + seed);
  expect(await tryTinyTables(seeds, place.folder)).toEqual([]);
});
