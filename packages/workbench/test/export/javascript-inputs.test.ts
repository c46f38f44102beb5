import { pathToFileURL } from "node:url";
import {
  type Column,
  conform,
  conformMixture,
  createClassifier,
  type Model,
  predict,
  type Row,
  random,
} from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";

interface Exported {
  readonly predict: (row: Row) => Record<string, number>;
}

const columns: readonly Column[] = [
  { name: "x", kind: "numeric" },
  { name: "z", kind: "numeric" },
  { name: "bit", kind: "binary" },
  { name: "color", kind: "categorical", values: ["red", "green"] },
];

const classifier = createClassifier({
  schema: { columns },
  classes: ["no", "yes"],
  intercept: Float64Array.of(0, 0.3),
  weights: Float64Array.of(0, 1, 0, -1, 0, 0.5, 0, 0.7, 0, -0.7),
});

const g = random(6);
const rows = Array.from({ length: 60 }, (): Row => {
  const x = g.normal();
  return { x, z: 0.6 * x + g.normal(), bit: g.integer(2), color: g.integer(2) ? "red" : "green" };
});
const atoms = conform(classifier, rows);
const gaussian = conformMixture(classifier, rows, { components: 2, numeric: "gaussian" });

describe.each<[string, Model]>([
  ["atoms", atoms],
  ["gaussian", gaussian],
])("an exported module of a model with %s reads a row as the library does:", (name, model) => {
  const place = new Workplace();
  let exported: Exported;

  beforeAll(async () => {
    const path = place.write(`${name}.mjs`, exportJavascript(model).script);
    exported = await import(/* @vite-ignore */ pathToFileURL(path).href);
  });

  /** The answer, or that there is none: "refused" for what is not a value of the column. */
  function answerOf(ask: () => Record<string, number>): number | "refused" {
    try {
      return ask().yes;
    } catch {
      return "refused";
    }
  }

  /** Checks that both give the same answer to a row, or none. */
  function same(row: unknown): void {
    const own = answerOf(() => exported.predict(row as Row));
    const truth = answerOf(() => predict(model, row as Row));
    if (typeof truth === "number" && typeof own === "number") expect(own).toBeCloseTo(truth, 9);
    else expect(own).toBe(truth);
  }

  test.each([1.5, "1.5", "-2e1", "", null, " 3 ", true])("number %j", (x) => same({ x, bit: 1 }));
  test.each(["NA", "0x10", "nan", 1e155, -1e155, "1e155"])("number %j", (x) => same({ x, bit: 1 }));
  test.each([0, 1, true, "false", "1", 2, "yes"])("bit %j", (bit) => same({ x: 1, bit }));
  test.each(["NA", "null"])("bit %j", (bit) => same({ x: 1, bit }));
  test.each(["red", "violet", "", "NA", null, 5])("category %j", (color) => same({ x: 1, color }));
  test.each([{ a: 1 }, ["red"]])("category %j", (color) => same({ x: 1, color }));
});
