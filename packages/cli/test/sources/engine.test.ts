import {
  conform,
  conformMixture,
  createClassifier,
  type Model,
  predict,
  type Row,
  random,
  type Schema,
} from "conformant";
import { countMarginals } from "conformant/remote";
import { PLAIN_NUMBERS } from "conformant/texts";
import { afterAll, expect, test } from "vitest";
import { manyRows } from "../../../conformant/src/gaussian/many-rows.ts";
import { expectation } from "../../../conformant/src/mixture/e-step.ts";
import { splitRows } from "../../../conformant/src/mixture/packed-rows.ts";
import { readWeightedRows } from "../../../conformant/src/schema/rows.ts";
import { fieldsOf } from "../../../workbench/src/sql/fields.ts";
import { removeLeftovers } from "../../src/output/cleanup.ts";
import type { Connector } from "../../src/sources/connector.ts";
import { countColumns } from "../../src/sources/count-columns.ts";
import { engineTable } from "../../src/sources/engine-table.ts";
import { openSource } from "../../src/sources/open-source.ts";
import { kernelBatches, type PredictedBatch, scoreBatches } from "../../src/sources/predict-batches.ts";
import { fieldsOfSchema } from "../../src/sources/schema-fields.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const GAPS = ["NA"];

afterAll(removeLeftovers); // what the command does at its end
/** SQL and the kernel add the same numbers in the same order; exp may differ in the last bit. */
const TOLERANCE = 1e-13;

/** Names and values that would break out of quotes that are not doubled. */
const odd = ['a"b', "it's", "x; DROP TABLE t; --", "naïve", "back\\slash", "%_"];
const schema: Schema = {
  columns: [
    { name: 'num"ber', kind: "numeric" },
    { name: "bit'", kind: "binary" },
    { name: odd[2], kind: "categorical", values: odd },
  ],
};

function randomRows(n: number): Row[] {
  const g = random(3);
  return Array.from({ length: n }, () => ({
    'num"ber': g.uniform() < 0.2 ? null : Math.round(g.normal() * 100) / 7,
    "bit'": g.uniform() < 0.2 ? null : g.integer(2),
    [odd[2]]: g.uniform() < 0.2 ? null : odd[g.integer(odd.length)],
  }));
}

function randomModel(rows: readonly Row[], K: number): Model {
  const g = random(K);
  const classes = Array.from({ length: K }, (_, k) => `class '${k}"`);
  const weights = Float64Array.from({ length: 8 * K }, (_, j) => (K === 2 && j % 2 === 0 ? 0 : g.normal()));
  const intercept = Float64Array.from({ length: K }, (_, k) => (K === 2 && k === 0 ? 0 : g.normal()));
  return conform(createClassifier({ schema, classes, intercept, weights }), rows);
}

async function openRows(rows: readonly Row[]): Promise<Connector> {
  const cell = (value: unknown): string => (value === null ? "" : `"${String(value).replaceAll('"', '""')}"`);
  const names = schema.columns.map(({ name }) => name);
  const lines = [names.map(cell), ...rows.map((row) => names.map((name) => cell(row[name])))].map((line) =>
    line.join(","),
  );
  const connector = await openSource(place.write("rows.csv", `${lines.join("\n")}\n`), { gaps: GAPS });
  await connector.prepare({ columns: names });
  return connector;
}

async function probabilities(batches: AsyncIterable<PredictedBatch>): Promise<number[]> {
  const all: number[] = [];
  for await (const batch of batches) all.push(...batch.probabilities);
  return all;
}

test.each([2, 5])(
  "SQL and kernel give the library's predictions for %i classes, whatever the names",
  async (K) => {
    const rows = randomRows(3000);
    const model = randomModel(rows, K);
    const connector = await openRows(rows);
    const fields = await fieldsOfSchema(connector, schema.columns, { gaps: GAPS });
    const expected = rows.flatMap((row) => Object.values(predict(model, row)));
    for (const answer of [
      await probabilities(scoreBatches({ connector, fields, model }, [])),
      await probabilities(kernelBatches({ connector, fields, model }, [])),
    ]) {
      expect(answer).toHaveLength(expected.length);
      expect(Math.max(...answer.map((p, j) => Math.abs(p - expected[j])))).toBeLessThan(TOLERANCE);
    }
    await connector.close();
  },
);

test("the engine's counts are the library's marginals", async () => {
  const rows = randomRows(3000);
  const connector = await openRows(rows);
  const fields = fieldsOf(
    connector,
    schema.columns.map(({ name }) => name),
    {
      gaps: GAPS,
      numbers: new Map([schema.columns[0], schema.columns[1]].map(({ name }) => [name, PLAIN_NUMBERS])),
    },
  );
  const counted = await countColumns(
    connector,
    fields,
    schema.columns.map(({ name }) => name),
    32,
  );
  const [number, bit, text] = countMarginals(schema, rows).columns;
  expect(counted.rows).toBe(3000);
  expect(counted.columns.get('num"ber')).toMatchObject({ marginal: number });
  expect(counted.columns.get("bit'")).toMatchObject({ bits: true, marginal: { counts: bit.counts } });
  const texts = counted.columns.get(odd[2]);
  expect(texts?.kind === "text" && odd.map((value) => texts.counts.get(value))).toEqual([...text.counts]);
  await connector.close();
});

test.each([true, false])(
  "the engine's sums of an expectation step are the library's, rows with missing values among them: %s",
  async (hasGaps) => {
    const all = randomRows(500);
    const rows = hasGaps ? all : all.filter((row) => Object.values(row).every((value) => value !== null));
    const { predictor, tilt } = randomModel(rows, 3);
    const { atoms, components } = conformMixture(predictor, rows, { components: 2, numeric: "atoms" });
    const connector = await openRows(rows);
    const fields = fieldsOf(
      connector,
      schema.columns.map(({ name }) => name),
      {
        gaps: GAPS,
        numbers: new Map([schema.columns[0], schema.columns[1]].map(({ name }) => [name, PLAIN_NUMBERS])),
      },
    );
    const own = await engineTable(connector).sums?.expectation(fields, tilt, hasGaps)(components, atoms);
    const packed = splitRows(readWeightedRows(schema, rows), atoms, tilt.intercept, {}, manyRows);
    const expected = expectation(atoms, tilt.intercept, components, packed, manyRows);
    expect(own?.logLikelihood).toBeCloseTo(expected.logLikelihood, 8);
    expected.counts.forEach((counts, m) => {
      expect(own?.componentWeights[m]).toBeCloseTo(expected.componentWeights[m], 8);
      for (const [j, count] of counts.entries()) expect(own?.counts[m][j]).toBeCloseTo(count, 8);
    });
    await connector.close();
  },
);
