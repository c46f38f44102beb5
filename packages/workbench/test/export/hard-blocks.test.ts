import { conformMixture, createClassifier, type Model, type Row, random } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { duckdb } from "../../../cli/test/support/duckdb.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../../../cli/test/support/postgres.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { expectedAnswers, largestDifference } from "./support/expected.ts";
import { runOnnx } from "./support/onnx-runtime.ts";
import { gappyRows } from "./support/random-models.ts";
import { predictionsSql, type SqlEngine, sqlEngines } from "./support/sql-engines.ts";
import { compare } from "./support/test-random-models.ts";

/** A model of numbers alone, with weights that are about 1 on their scale. */
function modelOf(rows: readonly Row[], K: number, components: number): Model {
  const names = Object.keys(rows[0]);
  const draw = random(K);
  const scale = names.map((name) => {
    const numbers = rows.map((row) => Number(row[name]));
    return Math.max(...numbers) - Math.min(...numbers) || 1;
  });
  const classifier = createClassifier({
    schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
    classes: Array.from({ length: K }, (_, k) => `class ${k}`),
    intercept: new Float64Array(K),
    weights: Float64Array.from(
      { length: names.length * K },
      (_, at) => draw.normal() / scale[Math.floor(at / K)],
    ),
  });
  return conformMixture(classifier, rows, { components, numeric: "gaussian", maxIterations: 3, restarts: 1 });
}

const draw = random(3);
const table = (row: (r: number, a: number, b: number) => Row): Row[] =>
  Array.from({ length: 100 }, (_, r) => row(r, draw.normal(), draw.normal()));

const models: [string, Model][] = [
  [
    "one column",
    modelOf(
      table((_, a) => ({ a })),
      2,
      2,
    ),
  ],
  [
    "a copy and a sum of columns",
    modelOf(
      table((_, a, b) => ({ a, b, copy: a, sum: a + b })),
      7,
      2,
    ),
  ],
  [
    "a constant column",
    modelOf(
      table((_, a) => ({ a, same: 5 })),
      2,
      1,
    ),
  ],
  [
    "numbers far from 0",
    modelOf(
      table((_, a, b) => ({ a: 1e9 + a, b: 1e9 + a + b })),
      7,
      2,
    ),
  ],
  [
    "tiny and huge variances",
    modelOf(
      table((_, a, b) => ({ a: 1e-9 * a, b: 1e9 * (a + b) })),
      2,
      2,
    ),
  ],
];

describe.each(models)("a Gaussian block with %s", (_, model) => {
  const rows = gappyRows(model, 200, 5);

  test("answers as the library does in ONNX", async () => {
    expect(model.gaussianColumns).toBeDefined();
    const graph = exportOnnx(model, { float: false });
    const { probabilities } = await runOnnx(graph, model.schema, rows, "float64");
    expect(largestDifference(probabilities, expectedAnswers(model, rows).probabilities)).toBeLessThan(1e-9);
  });

  test("answers as the library does in DuckDB and SQLite", async () => {
    for (const { open, available, name } of sqlEngines) {
      if (!available || !/DuckDB|SQLite/.test(name)) continue;
      const engine: SqlEngine = await open();
      compare(model, rows, await engine.answer(model, rows));
    }
  });
});

const two = models[1][1];
const [K] = [two.response.outputs.length];
/** What stands in the table, and the rows that it means. */
const cells = ["(0, 1, 2.5, 'NaN', NULL)", "(1, NULL, 'NaN', NULL, 3)", "(2, -3, NULL, -3, 'NaN')"];
const meant: Row[] = [{ a: 1, b: 2.5 }, { sum: 3 }, { a: -3, copy: -3 }];
const types = "id integer, a integer, b float8, copy float8, sum double precision";

describe("NaN in a table", () => {
  test("is a gap in DuckDB, and whole numbers and decimals count as what they are", async () => {
    const answers = await duckdb(
      `CREATE TABLE data (${types})`,
      `INSERT INTO data VALUES ${cells.join(", ")}`,
      predictionsSql(two, "duckdb"),
    );
    compare(two, meant, answers);
    const decimals = await duckdb(
      "CREATE TABLE data (id integer, a bigint, b decimal(9, 3), copy real, sum double)",
      "INSERT INTO data VALUES (0, 1, 2.5, NULL, NULL), (1, NULL, 0.125, 2, 3)",
      predictionsSql(two, "duckdb"),
    );
    compare(
      two,
      [
        { a: 1, b: 2.5 },
        { b: 0.125, copy: 2, sum: 3 },
      ],
      decimals,
    );
  });

  describe.skipIf(!postgresPrograms)("of PostgreSQL", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());
    const answers = (create: string, insert: string): unknown[][] => {
      server.run(
        `DROP TABLE IF EXISTS data; CREATE TABLE data (${create}); INSERT INTO data VALUES ${insert};`,
      );
      const json = server.run(`SELECT json_agg(r) FROM (${predictionsSql(two, "postgres")}) AS r;`);
      return (JSON.parse(json) as object[]).map((row) => Object.values(row));
    };

    test("is a gap, and whole numbers and decimals count as what they are", () => {
      compare(two, meant, answers(types, cells.join(", ")));
      const decimal = "id integer, a smallint, b numeric, copy real, sum numeric(12, 2)";
      const expected: Row[] = [
        { a: 1, b: 2.5 },
        { a: 2, sum: 7.25 },
      ];
      compare(two, expected, answers(decimal, "(0, 1, 2.5, NULL, 'NaN'), (1, 2, 'NaN', NULL, 7.25)"));
    });
  });
});

test("an infinite number has no answer, and spoils no other row", async () => {
  const rows = [{ a: 1 }, { a: Number.POSITIVE_INFINITY, b: 1 }, { b: 2 }];
  const { probabilities } = await runOnnx(exportOnnx(two, { float: false }), two.schema, rows, "float64");
  const known = expectedAnswers(two, [{ a: 1 }, { b: 2 }]).probabilities;
  const own = Array.from(probabilities);
  expect(largestDifference([...own.slice(0, K), ...own.slice(2 * K)], known)).toBeLessThan(1e-9);
  expect(own.slice(K, 2 * K).every(Number.isNaN)).toBe(true);
  const answers = await duckdb(
    `CREATE TABLE data (${types})`,
    "INSERT INTO data SELECT 0, 1, NULL, NULL, NULL UNION ALL SELECT 1, 1, 'inf', NULL, NULL UNION ALL SELECT 2, NULL, 2, NULL, NULL",
    predictionsSql(two, "duckdb"),
  );
  compare(two, [{ a: 1 }, { b: 2 }], [answers[0], answers[2]]);
  expect(Number.isFinite(Number(answers[1][1] ?? Number.NaN))).toBe(false);
});

test("a complete row gets the classifier's answer, however unlikely it is", async () => {
  const model = models[1][1];
  const rows = [
    { a: 50, b: -40, copy: -50, sum: 1000 },
    { a: 1e6, b: 1e6, copy: -1e6, sum: 0 },
  ];
  const graph = exportOnnx(model, { float: false });
  const { probabilities } = await runOnnx(graph, model.schema, rows, "float64");
  expect(largestDifference(probabilities, expectedAnswers(model, rows).probabilities)).toBeLessThan(1e-9);
  for (const { open, name } of sqlEngines)
    if (name === "DuckDB") compare(model, rows, await (await open()).answer(model, rows));
});
