import type { Model } from "conformant";
import { treesOf } from "conformant/trees";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportSql } from "../../src/export/export-sql.ts";
import { countTreeTerms, treeSums } from "../../src/sql/tree-stages.ts";
import { expectedAnswers, largestDifference } from "./support/expected.ts";
import { makeModel, type Recipe } from "./support/model-recipes.ts";
import { dialectOf, type SqlEngine, sqlEngines } from "./support/sql-engines.ts";
import { compare, DOUBLE } from "./support/test-random-models.ts";

const shapes = [
  { classes: 2, components: 1 },
  { classes: 7, components: 8 },
  { classes: 3, components: 2 },
  { classes: 2, components: 16 }, // more weights than one stage names
];
const made = (trees: NonNullable<Recipe["trees"]>) =>
  shapes.map((shape) => {
    const link = trees === "softmax" && shape.classes === 2 ? "logistic" : trees;
    return makeModel({ ...shape, block: 0, trees: link, seed: 5 }, 300);
  });
const forests = made("probability");
const boosted = made("softmax");

/** Trees that add up to the same numbers, taken as they are: their expected answer is what the others' margins are expected to be. */
function withoutLink(model: Model): Model {
  const trees = treesOf(model);
  if (!trees) throw new RangeError("expected trees");
  const { base, width, values } = trees;
  if (trees.link === "softmax") return { ...model, predictor: { ...trees, link: "probability" } };
  // One sum: for both classes the same.
  return {
    ...model,
    predictor: {
      ...trees,
      link: "probability",
      base: Float64Array.of(base[0], base[0]),
      width: 2 * width,
      values: Float64Array.from(values).reduce(
        (both, value, leaf) => both.fill(value, 2 * leaf, 2 * leaf + 2),
        new Float64Array(2 * values.length),
      ),
    },
  };
}

test("every stage of trees that ask nothing names something: SQL has no query without a column", () => {
  const trees = treesOf(forests[0].model);
  if (!trees) throw new RangeError("expected trees");
  const leaf = trees.nodes.column.indexOf(-1);
  const { stages } = treeSums(dialectOf("sqlite"), forests[0].model, {
    ...trees,
    roots: Int32Array.of(leaf),
  });
  expect(stages.map(({ length }) => length)).not.toContain(0);
});

describe.each(sqlEngines)("in $name", ({ name, available, open }) => {
  /** Those that the engine plans in seconds; the others are refused. */
  const planned = (models: typeof forests) =>
    models.filter(({ model }) => {
      const trees = treesOf(model);
      return (
        name !== "ClickHouse" ||
        (trees && countTreeTerms(model, trees) <= dialectOf("clickhouse").mostTreeTerms)
      );
    });
  let engine: SqlEngine | undefined;
  beforeAll(async () => {
    if (available) engine = await open();
  });
  afterAll(() => engine?.stop());

  test.skipIf(!available).each(planned(forests))(
    "a forest answers as the library does: $name",
    async (forest) => {
      compare(forest.model, forest.rows, (await engine?.answer(forest.model, forest.rows)) ?? []);
    },
  );

  test.skipIf(!available).each(planned(boosted))(
    "margins are those of the library: $name",
    async ({ model, rows }) => {
      const answers = (await engine?.answer(model, rows)) ?? [];
      const K = model.response.outputs.length;
      const { probabilities } = expectedAnswers(withoutLink(model), rows);
      const margins = Array.from(probabilities).filter(
        (_, at) => treesOf(model)?.link === "softmax" || at % K === 1,
      );
      const own = answers.flatMap((answer) => answer.slice(0, -1).map(Number));
      expect(own.length).toBe(margins.length);
      expect(largestDifference(own, Float64Array.from(margins))).toBeLessThan(DOUBLE);
    },
  );
});

test("trees that ask about a column in a Gaussian are refused by its name", () => {
  const { model } = makeModel({ classes: 2, components: 2, block: 3, trees: "probability", seed: 5 }, 0);
  expect(() => exportSql(model, { dialect: dialectOf("duckdb"), table: "data", keep: [] })).toThrow(
    /a Gaussian describes "x\d"/,
  );
});

test("trees too large for an engine to plan are refused with their size", () => {
  const { model } = makeModel({ classes: 7, components: 8, block: 0, trees: "probability", seed: 5 }, 0);
  const trees = treesOf(model);
  if (!trees) throw new RangeError("expected trees");
  const roots = new Int32Array(trees.roots.length);
  const column = new Int32Array(20_000);
  const many = { ...model, predictor: { ...trees, roots, nodes: { ...trees.nodes, column } } };
  expect(() => exportSql(many, { dialect: dialectOf("duckdb"), table: "data", keep: [] })).toThrow(
    /too large for the SQL of duckdb: 1120000 nodes .* at most 20000/,
  );
});
