import { expect, test } from "vitest";
import { tryTinyTables, tryTinyTablesHere } from "../support/try-tiny-tables.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const hundredFrom = (first: number): number[] => Array.from({ length: 100 }, (_, i) => first + i);

test.each(Array.from({ length: 20 }, (_, hundred) => hundred))(
  "2,000 tiny tables with all kinds of options end, well or in one line: hundred %i",
  { timeout: 1_800_000 },
  async (hundred) => {
    expect(await tryTinyTablesHere(hundredFrom(1000 + 100 * hundred), place.folder)).toEqual([]);
  },
);

test.each([0, 1, 2])(
  "and of other tables each in a process of its own: hundred %i",
  { timeout: 1_800_000 },
  async (hundred) => {
    expect(await tryTinyTables(hundredFrom(5000 + 100 * hundred), place.folder)).toEqual([]);
  },
);
