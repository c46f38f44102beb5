import { pathToFileURL } from "node:url";
import { conform, conformMixture, createClassifier, type Model, type Row } from "conformant";
import { describe, expect, test } from "vitest";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { postgresPrograms, startPostgres } from "../../../cli/test/support/postgres.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { exportSql } from "../../src/export/export-sql.ts";
import type { Dialect } from "../../src/sql/dialects/dialect.ts";
import { sqlDialects } from "../../src/sql/dialects/sql-dialects.ts";
import { expectedAnswers, largestDifference } from "./support/expected.ts";
import { runOnnx } from "./support/onnx-runtime.ts";
import { predictByHand } from "./support/predict-by-hand.ts";
import { hasSqlite, sqlite } from "./support/sqlite.ts";

/** Texts that end a literal, a name, a comment or a script where they are not quoted. */
const evil = [
  `'; DROP TABLE witness; --`,
  `"; DROP TABLE witness; --`,
  "`; DROP TABLE witness; --",
  `\\'; DROP TABLE witness; --`,
  `*/ DROP TABLE witness; /*`,
  "$$; DROP TABLE witness; $$",
  "line\nbreak\rreturn\u2028</script><script>alert(1)</script>",
  `\${globalThis.broken = true}`,
  "label",
  "__proto__",
  "x0_",
  "select \u{1F427} from \u202Ewhere",
];

/** How many of the columns are numbers, which a Gaussian describes in some of the models. */
const NUMBERS = 3;
const columns = [
  ...evil.slice(0, NUMBERS).map((name) => ({ name, kind: "numeric" as const })),
  ...evil.slice(NUMBERS).map((name) => ({ name, kind: "categorical" as const, values: evil })),
];
const slots = NUMBERS + (evil.length - NUMBERS) * evil.length;
const classifier = createClassifier({
  schema: { columns },
  classes: evil,
  intercept: Float64Array.from(evil, (_, k) => k / 10),
  weights: Float64Array.from({ length: slots * evil.length }, (_, j) => Math.sin(j)),
});
const rows: Row[] = Array.from({ length: 40 }, (_, r) =>
  Object.fromEntries(
    columns.flatMap(({ name, kind }, i) =>
      (r + i) % 4 === 0
        ? []
        : [[name, kind === "numeric" ? Math.sin(r * (i + 1)) + r / 7 : evil[(r * 3 + i) % evil.length]]],
    ),
  ),
);
const models: [string, Model][] = [
  ...(["atoms", "gaussian"] as const).flatMap((numeric): [string, Model][] =>
    [1, 2].map((components) => [
      `${components} of ${numeric}`,
      conformMixture(classifier, rows, { components, numeric, maxIterations: 3, restarts: 1 }),
    ]),
  ),
];

const place = new Workplace();

function setup(dialect: Dialect): string[] {
  const names = columns.map(({ name }) => dialect.identifier(name));
  const cell = (row: Row, name: string): string =>
    Object.hasOwn(row, name)
      ? typeof row[name] === "number"
        ? String(row[name])
        : dialect.literal(String(row[name]))
      : "NULL";
  const values = rows.map((row, id) => `(${[id, ...columns.map(({ name }) => cell(row, name))].join(", ")})`);
  const types = names.map((name, i) => `${name} ${i < NUMBERS ? "double precision" : "text"}`);
  return [
    "CREATE TABLE witness (id integer)",
    "INSERT INTO witness VALUES (7)",
    `CREATE TABLE ${dialect.identifier(evil[1])} (id integer, ${types.join(", ")})`,
    `INSERT INTO ${dialect.identifier(evil[1])} VALUES ${values.join(", ")}`,
  ];
}

/** Probabilities in order, then the witness, which must have survived. */
function select(name: string, model: Model): string {
  const dialect = sqlDialects.get(name) as Dialect;
  const sql = exportSql(model, { dialect, table: evil[1], keep: ["id", evil[3]] });
  return `SELECT s.*, (SELECT max(id) FROM witness) FROM (${sql}) AS s ORDER BY id`;
}

function check(answers: readonly (readonly unknown[])[], model: Model): void {
  const expected = expectedAnswers(model, rows);
  const K = evil.length;
  expect(answers.map(([label]) => label)).toEqual(expected.labels);
  expect(
    largestDifference(
      answers.flatMap((row) => row.slice(1, 1 + K).map(Number)),
      expected.probabilities,
    ),
  ).toBeLessThan(1e-9);
  expect(answers.map((row) => row[K + 2] ?? undefined)).toEqual(rows.map((row) => row[evil[3]]));
  expect(answers.every((row) => Number(row[row.length - 1]) === 7)).toBe(true);
}

describe.each(models)("names, categories and classes that try to break out, %s", (name, model) => {
  test("stay what they are in DuckDB", async () => {
    const dialect = sqlDialects.get("duckdb") as Dialect;
    check(await duckdb(...setup(dialect), select("duckdb", model)), model);
    check(await duckdb(...setup(dialect), select("ansi", model)), model);
  });

  test.skipIf(!hasSqlite)("stay what they are in SQLite", () => {
    const statements = setup(sqlDialects.get("sqlite") as Dialect);
    check(sqlite(`${[...statements, select("sqlite", model)].join(";\n")};`), model);
  });

  test.skipIf(!postgresPrograms)("stay what they are in PostgreSQL", { timeout: 60_000 }, async () => {
    const server = await startPostgres();
    try {
      server.run(`${setup(sqlDialects.get("postgres") as Dialect).join(";\n")};`);
      const lists = `SELECT json_agg(json_build_array(${[
        "prediction",
        ...evil.map((name) => `p_${name}`),
        "id",
        evil[3],
        "max",
      ]
        .map((name) => `r.${(sqlDialects.get("postgres") as Dialect).identifier(name)}`)
        .join(", ")})) FROM (${select("postgres", model)}) AS r;`;
      check(JSON.parse(server.run(lists)), model);
    } finally {
      server.stop();
    }
  });

  test("stay what they are in ONNX, JavaScript and JSON", async () => {
    const expected = expectedAnswers(model, rows);
    const own = rows.map((row) =>
      Object.fromEntries(columns.map(({ name }) => [name, Object.hasOwn(row, name) ? row[name] : undefined])),
    );
    const onnx = await runOnnx(exportOnnx(model, { float: false }), { columns }, own, "float64");
    expect(largestDifference(onnx.probabilities, expected.probabilities)).toBeLessThan(1e-9);
    expect([...onnx.labels]).toEqual(expected.labels);
    const { script } = exportJavascript(model);
    expect(script).not.toContain("</script>");
    const file = place.write("evil.mjs", script);
    const module = await import(/* @vite-ignore */ `${pathToFileURL(file).href}?${encodeURIComponent(name)}`);
    const numbers = rows.flatMap((row) => evil.map((name) => module.predict(row)[name]));
    expect(largestDifference(numbers, expected.probabilities)).toBeLessThan(1e-12);
    expect((globalThis as { broken?: boolean }).broken).toBeUndefined();
    const byHand = rows.flatMap((row) =>
      predictByHand(JSON.parse(exportJson(model)), row)
        .slice(1)
        .map(Number),
    );
    expect(largestDifference(byHand, expected.probabilities)).toBeLessThan(1e-9);
  });
});

test("a name with a NUL character cannot be written as SQL and is refused", () => {
  const schema = { columns: [{ name: "a\0b", kind: "numeric" as const }] };
  const parts = { classes: ["a", "b"], intercept: Float64Array.of(0, 0), weights: Float64Array.of(0, 1) };
  const model = conform(createClassifier({ schema, ...parts }), [{ "a\0b": 1 }, { "a\0b": 2 }]);
  for (const dialect of sqlDialects.values())
    expect(() => exportSql(model, { dialect, table: "data", keep: [] })).toThrow(/NUL/);
});
