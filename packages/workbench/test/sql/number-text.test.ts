import { DuckDBInstance } from "@duckdb/node-api";
import { DATES, type DateStyle, type NumberStyle, PLAIN_NUMBERS, readNumberText } from "conformant/texts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { clickhouseProgram, startCluster } from "../../../cli/test/support/clickhouse.ts";
import { postgresPrograms, startPostgres } from "../../../cli/test/support/postgres.ts";
import { clickhouseDialect } from "../../src/sql/dialects/clickhouse-dialect.ts";
import { duckdbDialect } from "../../src/sql/dialects/duckdb-dialect.ts";
import type { EngineDialect } from "../../src/sql/dialects/engine-dialect.ts";
import { postgresDialect } from "../../src/sql/dialects/postgres-dialect.ts";

const SEED = 7;
const TEXTS = 3000;
/** ClickHouse's reader of numbers is wrong in the last digits, which for the smallest ones are all that they have. */
const [CLICKHOUSE_ROUNDING, SMALLEST] = [1e-14, 1e-290];
const STYLES: readonly NumberStyle[] = [
  { decimal: "point", grouped: false },
  { decimal: "comma", grouped: false },
  { decimal: "point", grouped: true },
  { decimal: "comma", grouped: true },
  { decimal: "point", grouped: true, signs: true },
  { decimal: "comma", grouped: true, signs: true },
  ...(Object.keys(DATES) as DateStyle[]).map((date) => ({ ...PLAIN_NUMBERS, date })),
];

/** Amounts as accounts write them. */
const amounts = fc
  .tuple(
    fc.constantFrom("", "$", "€ ", "(", "-", "USD "),
    fc.integer({ min: 0 }),
    fc.constantFrom("", "%", " €", ")", " £"),
  )
  .chain(([before, number, after]) =>
    fc.constantFrom("en", "de", "fr").map((locale) => `${before}${number.toLocaleString(locale)}${after}`),
  );

/** Dates in all forms, some of them wrong. */
const dates = fc
  .tuple(
    fc.constantFrom("1968", "2024", "1900", "69", "05", "2000"),
    fc.constantFrom("1", "02", "12", "13", "Feb", "MAR", "december", "Sept."),
    fc.constantFrom("1", "09", "28", "31", "32"),
    fc.constantFrom("", "", " 7:05", " 23:59:59.25", "T00:30:00Z"),
    fc.constantFrom("-", "/", ".", " ", ""),
  )
  .chain(([year, month, day, time, mark]) =>
    fc.constantFrom(
      `${year}${mark}${month}${mark}${day}${time}`,
      `${month}${mark}${day}${mark}${year}${time}`,
      `${day}${mark}${month}${mark}${year}${time}`,
      `${month} ${day}, ${year}`,
      `${month}${mark}${year}`,
      `${year}${mark}${month}`,
      time.trim(),
    ),
  );

/** Texts that are numbers or nearly so: signs, zeros, marks, exponents and blanks in any order. */
const nearNumbers = fc.oneof(
  amounts,
  { arbitrary: dates, weight: 3 },
  fc.string({ unit: fc.constantFrom(..."0123456789.,eE+-_ x"), minLength: 1, maxLength: 9 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map((n) => n.toLocaleString("en")),
  fc.integer().map((n) => n.toLocaleString("de")),
  fc.constantFrom(
    "007",
    "0x10",
    "1_000",
    "inf",
    "-nan",
    "Infinity",
    "1e400",
    "-1e400",
    "1e-400",
    "+-1",
    "5.",
    ".5",
    " 7 ",
    "7\t",
    "1e0001",
  ),
);
const texts = fc.sample(nearNumbers, { numRuns: TEXTS, seed: SEED }).filter((text) => !text.includes("\0"));

/** What the dialect makes of every text, as this language reads it; undefined for what is no finite number. */
type Evaluate = (sql: string) => Promise<readonly (string | null)[]>;

/** A relation of numbered texts, called i and t. */
type Relation = (dialect: EngineDialect) => string;

const values: Relation = ({ literal }) =>
  `(VALUES ${texts.map((text, i) => `(${i}, ${literal(text)})`).join(", ")}) AS v(i, t)`;

async function compare(
  dialect: EngineDialect,
  evaluate: Evaluate,
  { relation = values, rounding = 0 }: { readonly relation?: Relation; readonly rounding?: number } = {},
): Promise<void> {
  for (const style of STYLES) {
    const parsed = dialect.text(dialect.parseDouble("t", style));
    const found = await evaluate(`SELECT ${parsed} FROM ${relation(dialect)} ORDER BY i`);
    texts.forEach((text, i) => {
      const number = Number(found[i]);
      const expected = readNumberText(text, style);
      const read = found[i] === null || !Number.isFinite(number) ? undefined : number + 0;
      const what = `${JSON.stringify(text)} in style ${JSON.stringify(style)}`;
      if (read === undefined || expected === undefined) expect(read, what).toBe(expected);
      else
        expect(Math.abs(read - expected), what).toBeLessThanOrEqual(
          rounding * Math.max(Math.abs(expected), SMALLEST),
        );
    });
  }
}

test("DuckDB takes for numbers what the library does", { timeout: 60_000 }, async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await compare(duckdbDialect, async (sql) => {
    const rows = await (await connection.run(sql)).getRows();
    return rows.map(([cell]) => (cell === null ? null : String(cell)));
  });
  connection.closeSync();
});

test.skipIf(postgresPrograms === undefined)("PostgreSQL does, too", { timeout: 120_000 }, async () => {
  const server = await startPostgres();
  try {
    await compare(postgresDialect, async (sql) => {
      const answer = server.run(`SELECT coalesce(json_agg(to_json(x)), '[]') FROM (${sql}) AS a(x);`);
      return JSON.parse(answer) as (string | null)[];
    });
  } finally {
    server.stop();
  }
});

test.skipIf(clickhouseProgram === undefined)("ClickHouse does, too", { timeout: 120_000 }, async () => {
  const cluster = await startCluster(1);
  try {
    await compare(
      clickhouseDialect,
      async (sql) => {
        const answer = await cluster.shards[0].run(`${sql} FORMAT JSONCompact`);
        return (JSON.parse(answer) as { data: (string | null)[][] }).data.map(([cell]) => cell);
      },
      {
        rounding: CLICKHOUSE_ROUNDING,
        relation: ({ literal }) =>
          `(SELECT pair.1 AS i, pair.2 AS t FROM (SELECT arrayJoin(pairs) AS pair FROM (SELECT arrayMap((i, t) -> (i, t), range(${texts.length}), [${texts.map(literal).join(", ")}]) AS pairs)))`,
      },
    );
  } finally {
    await cluster.stop();
  }
});
