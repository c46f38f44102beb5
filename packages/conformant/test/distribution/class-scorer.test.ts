import { afterEach, describe, expect, it, vi } from "vitest";
import { type Classifier, createClassifier } from "../../src/additive/classifier.ts";
import { ClassScorer, scoreRow } from "../../src/distribution/class-scores.ts";
import { fastContext, plainContext } from "../../src/kernels/context.ts";

import { random } from "../../src/math/random.ts";
import { probabilitiesInPlace } from "../../src/math/softmax.ts";
import { type Column, slotOffsets } from "../../src/schema/column.ts";
import type { Table } from "../../src/schema/data.ts";
import { encode } from "../../src/schema/encode.ts";
import { cellsOfRow } from "../../src/schema/read-row.ts";

const g = random(11);

/** Runs of numbers and bits, longer than what goes together, with values between them. */
function mixedColumns(): Column[] {
  return Array.from({ length: 80 }, (_, i): Column => {
    const name = `c${i}`;
    if (i === 3 || i === 4) return { name, kind: "categorical", values: ["a", "b", "c"] };
    if (i === 79) return { name, kind: "binned", edges: [-1, 0, 1] };
    return i % 5 === 0 ? { name, kind: "binary" } : { name, kind: "numeric" };
  });
}

function makeClassifier(K: number): Classifier {
  const schema = { columns: mixedColumns() };
  const slots = slotOffsets(schema)[schema.columns.length];
  return createClassifier({
    schema,
    classes: Array.from({ length: K }, (_, k) => `k${k}`),
    intercept: Float64Array.from({ length: K }, () => g.normal()),
    weights: Float64Array.from({ length: slots * K }, () => g.normal()),
  });
}

function makeTable({ schema }: Classifier, rows: number): Table {
  const cell = ({ kind }: Column): number | string | null => {
    if (g.uniform() < 0.3) return null;
    if (kind === "categorical") return "abc"[g.integer(3)];
    return kind === "binary" ? g.integer(2) : g.normal();
  };
  return encode(
    schema,
    Array.from({ length: rows }, () => Object.fromEntries(schema.columns.map((c) => [c.name, cell(c)]))),
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe("ClassScorer", () => {
  it("scores and classifies many rows as each by itself, to the last bit", () => {
    for (const [K, rows] of [
      [2, 1],
      [3, 5],
      [7, 515],
      [2, 1030],
    ]) {
      const classifier = makeClassifier(K);
      const gaps = Float64Array.from({ length: classifier.schema.columns.length * K }, () => g.normal());
      const table = makeTable(classifier, rows);
      const [scores, probabilities] = [new Float64Array(rows * K), new Float64Array(rows * K)];
      const scorer = new ClassScorer(classifier, gaps);
      scorer.score(table, 0, rows, scores, fastContext);
      scorer.classify(table, 0, rows, probabilities, fastContext);
      for (let r = 0; r < rows; r++) {
        const own = new Float64Array(K);
        scoreRow(classifier, gaps, cellsOfRow(table, r), own);
        expect([...scores.subarray(r * K, (r + 1) * K)]).toEqual([...own]);
        probabilitiesInPlace(own);
        expect([...probabilities.subarray(r * K, (r + 1) * K)]).toEqual([...own]);
      }
    }
  });

  it("gives the same without WebAssembly", () => {
    const classifier = makeClassifier(4);
    const gaps = Float64Array.from({ length: classifier.schema.columns.length * 4 }, () => g.normal());
    const table = makeTable(classifier, 70);
    const fast = new Float64Array(70 * 4);
    new ClassScorer(classifier, gaps).classify(table, 0, 70, fast, fastContext);
    const plain = new Float64Array(70 * 4);
    new ClassScorer(classifier, gaps).classify(table, 0, 70, plain, plainContext);
    expect([...fast]).toEqual([...plain]);
  });

  it("reads a part of a table, numbers of single precision, and writes nothing else", () => {
    const classifier = createClassifier({
      schema: { columns: [{ name: "x", kind: "numeric" }] },
      classes: ["no", "yes"],
      intercept: Float64Array.of(0, 0),
      weights: Float64Array.of(0, 2),
    });
    const table = encode(classifier.schema, { x: Float32Array.of(9, 0.5, Number.NaN, -1, 9) });
    const out = new Float64Array(8).fill(7);
    new ClassScorer(classifier, Float64Array.of(0, 3)).score(table, 1, 4, out, plainContext);
    expect([...out]).toEqual([0, 1, 0, 3, 0, -2, 7, 7]);
  });
});
