import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { manyRows } from "../../src/gaussian/many-rows.ts";
import { expectation } from "../../src/mixture/e-step.ts";
import { cutRows, splitRows } from "../../src/mixture/packed-rows.ts";
import { expectInParts } from "../../src/mixture/steps-in-parts.ts";
import { thisThread } from "../../src/threads/threads.ts";
import {
  conform,
  conformMixture,
  createClassifier,
  createThreads,
  encode,
  random,
  saveModel,
  type Threads,
} from "../support/library.ts";

let worker: Worker;

beforeAll(async () => {
  worker = new Worker(new URL("../support/helper.mjs", import.meta.url));
  await once(worker, "message");
});

afterAll(() => worker.terminate());

/** Rows, half of them with gaps, which are a part of their own; classes, columns, kind, components. */
const kinds = {
  "bits and many classes": [600, 10, 60, "atoms", 100],
  numbers: [2000, 2, 12, "gaussian", 8],
} as const;

test.each(Object.entries(kinds))(
  "%s: a mixture is the same for any number of threads, to the last bit",
  (_, [rows, K, n, numeric, components]) => {
    const g = random(3);
    const names = Array.from({ length: n }, (_, i) => `x${i}`);
    const kind = numeric === "atoms" ? ("binary" as const) : ("numeric" as const);
    const classifier = createClassifier({
      schema: { columns: names.map((name) => ({ name, kind })) },
      classes: Array.from({ length: K }, (_, k) => `${k}`),
      intercept: new Float64Array(K),
      weights: Float64Array.from({ length: n * K }, () => g.normal()),
    });
    const cell = (r: number): number => {
      if (r % 2 === 1 && g.uniform() < 0.2) return Number.NaN;
      return numeric === "atoms" ? Math.round(g.uniform()) : g.normal() + (r % 3);
    };
    const data = Object.fromEntries(
      names.map((name) => [name, Float64Array.from({ length: rows }, (_, r) => cell(r))]),
    );
    const [threads, asked] = [createThreads([worker]), new Set<string>()];
    const noting: Threads = {
      share: (parts) => threads.share(parts),
      run: (work, parts, step) => {
        asked.add(work.name);
        return threads.run(work, parts, step);
      },
    };
    const options = { components, numeric, maxIterations: 2 };
    const alone = saveModel(conformMixture(classifier, data, options));
    expect(saveModel(conformMixture(classifier, data, { ...options, threads: noting })) === alone).toBe(true);
    expect([...asked]).toEqual([numeric === "atoms" ? "maximization" : "expectation"]);
  },
);

test("rows beyond a part are cut, and the parts hold all of them once", () => {
  const rows = 100_000;
  const g = random(4);
  const bits = (): Float64Array => Float64Array.from({ length: rows }, () => Math.round(g.uniform()));
  const classifier = createClassifier({
    schema: { columns: ["a", "b", "c"].map((name) => ({ name, kind: "binary" as const })) },
    classes: ["no", "yes"],
    intercept: new Float64Array(2),
    weights: Float64Array.of(0, 1, 0, -1, 0, 2),
  });
  const table = encode(classifier.schema, { a: bits(), b: bits(), c: bits() });
  const one = conform(classifier, table);
  const weighted = {
    table,
    rows: Int32Array.from({ length: rows }, (_, r) => r),
    weights: new Float64Array(rows).fill(1),
  };
  const split = splitRows(weighted, one.atoms, classifier.intercept, {}, manyRows);
  const parts = cutRows(split);
  expect(parts.length).toBe(3);
  const whole = expectation(one.atoms, classifier.intercept, one.components, split, manyRows);
  const intercept = classifier.intercept;
  const workers = { threads: thisThread, context: manyRows };
  const together = expectInParts({ atoms: one.atoms, intercept, parts }, one.components, workers);
  expect(together.counts).toEqual(whole.counts); // whole numbers: every row counts once
  expect(together.logLikelihood).toBeCloseTo(whole.logLikelihood, 6);
});
