import { expect, test } from "vitest";
import { tryTinyTables } from "../support/try-tiny-tables.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();

test.each(Array.from({ length: 20 }, (_, hundred) => hundred))(
  "2,000 tiny tables with all kinds of options end, well or in one line: hundred %i",
  { timeout: 1_800_000 },
  async (hundred) => {
    const seeds = Array.from({ length: 100 }, (_, i) => 1000 + 100 * hundred + i);
    expect(await tryTinyTables(seeds, place.folder)).toEqual([]);
  },
);
