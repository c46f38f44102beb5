import { expect, test } from "vitest";
import { sqliteDialect } from "../../src/sql/dialects/sqlite-dialect.ts";
import { hasSqlite, sqlite } from "./support/sqlite.ts";

/** What JavaScript reads as a decimal number, as a whole. */
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

test.skipIf(!hasSqlite)(
  "a text in SQLite is the number that it is as a whole, and what only begins like one spoils the row",
  () => {
    const numbers = ["12", " 12 ", "-.5", "+3", "1e5", "2.50", "9007199254740993", "12345678901234567890"];
    const others = ["2020-01-01", "1.2.3", "1e", "--5", "1,5", "0x10", "abc", "1-2", "e5", ".", "1 2", "nan"];
    const texts = [...numbers, ...others];
    const values = texts.map((text) => `('${text}')`).join(",");
    const read = sqlite(`SELECT ${sqliteDialect.double("t.column1")} FROM (VALUES ${values}) t;`).flat();
    texts.forEach((text, at) => {
      const isNumber = NUMBER.test(text.trim());
      expect(read[at], text).toBe(isNumber ? Number(text) : Number.POSITIVE_INFINITY);
    });
    expect(
      sqlite(`SELECT ${sqliteDialect.double("x")} AS y FROM (SELECT '' AS x UNION ALL SELECT NULL);`),
    ).toEqual([[null], [null]]);
  },
);
