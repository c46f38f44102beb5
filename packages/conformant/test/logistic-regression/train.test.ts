import { describe, expect, it } from "vitest";
import { classify, type Table, train } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { expectWeights, type TrainFixture, trainFixtures } from "../support/train-fixtures.ts";

function tableOf({ columns, cells, labels, classCount }: TrainFixture): Table {
  const values = Array.from({ length: classCount }, (_, k) => `${k}`);
  return {
    schema: { columns: [...columns, { name: "label", kind: "categorical", values }] },
    rows: labels.length,
    columns: [
      ...columns.map(({ kind }, i) =>
        kind === "numeric" ? Float64Array.from(cells[i]) : Int8Array.from(cells[i]),
      ),
      Int8Array.from(labels),
    ],
    unseen: [],
  };
}

describe("train", () => {
  it.each(trainFixtures)("finds scikit-learn's coefficients: %s", (_, fixture) => {
    const { l2, rowWeights: weights } = fixture;
    const options = {
      label: "label",
      l2,
      tolerance: 1e-10,
      maxIterations: 20_000,
      ...(weights && { weights }),
    };
    const classifier = train(tableOf(fixture), options);
    expectWeights(classifier.weights, fixture);
    // The objective does not tell how far rounding let either go, but it tells which of the two is better.
    expect(classifier.training?.objective).toBeLessThan(fixture.objective * (1 + 1e-9));
  });

  const rows = [
    { x: 1, c: "a", y: "no" },
    { x: 2, c: "b", y: "no" },
    { x: 3, c: "a", y: "yes" },
    { x: 4, c: "b", y: "yes" },
    { x: null, c: "b", y: "yes" },
    { x: 4, c: null, y: "yes" },
    { x: 4, c: "b", y: null },
  ];

  it("leaves rows with gaps out and counts them", () => {
    const { training } = train(rows, { label: "y" });
    expect(training).toMatchObject({ status: "converged", rows: 4, rowsWithGaps: 3, l2: 1 });
    expect(training?.gradientNorm).toBeLessThanOrEqual(1e-6);
  });

  it("gives the weights back on the scale of the columns", () => {
    const scaled = rows.map((row) => ({ ...row, x: row.x === null ? null : 1000 * row.x + 5 }));
    const [a, b] = [train(rows, { label: "y" }), train(scaled, { label: "y" })];
    expect(classify(b, { x: 2505, c: "a" }).yes).toBeCloseTo(classify(a, { x: 2.5, c: "a" }).yes, 6);
  });

  it("says when it stopped before it converged", () => {
    const { training } = train(rows, { label: "y", maxIterations: 1, tolerance: 1e-12 });
    expect(training?.status).toBe("iteration-limit");
    expect(training?.gradientNorm).toBeGreaterThan(1e-12);
  });

  it("takes rows, columns and weights alike", () => {
    const complete = rows.slice(0, 4);
    const weighted = train(complete, { label: "y", weights: [2, 1, 1, 1] });
    const repeated = train([complete[0], ...complete], { label: "y" });
    const columns = train(
      { x: [1, 1, 2, 3, 4], c: ["a", "a", "b", "a", "b"], y: ["no", "no", "no", "yes", "yes"] },
      { label: "y" },
    );
    weighted.weights.forEach((w, j) => {
      expect(w).toBeCloseTo(repeated.weights[j], 5);
      expect(columns.weights[j]).toBe(repeated.weights[j]);
    });
  });

  it("names what does not fit", () => {
    expectError(() => train(rows, { label: "z" }), "unknown-column", /options.label names "z"/);
    expectError(
      () => train(rows.slice(0, 2), { label: "y" }),
      "single-class",
      /"y" must have two or more classes, got only "no"/,
    );
    expectError(() => train(rows.slice(4), { label: "y", columns: ["x"] }), "single-class", /only "yes"/);
    expectError(
      () =>
        train(
          [
            { x: 1, y: "a" },
            { x: null, y: "b" },
          ].map((r) => ({ ...r, z: r.x === null ? 1 : null })),
          { label: "y" },
        ),
      "empty-data",
      /each of the 2 rows has a missing value/,
    );
    expectError(
      () => train(rows, { label: "y", l2: -1 }),
      "invalid-argument",
      /options.l2 must be a number from 0 to 1e\+100, got -1/,
    );
    expectError(
      () => train(rows, { label: "y", maxIterations: 0 }),
      "invalid-argument",
      /options.maxIterations/,
    );
    expectError(
      () => train(rows, { label: "y", weights: [1] }),
      "invalid-argument",
      /each of the 7 rows, got 1/,
    );
    expectError(
      () => train(rows, { label: "y", columns: ["w"] }),
      "unknown-column",
      /options.columns names "w"/,
    );
  });
});

it.each([2, 3])("a start at the solution is found to be one, for %i classes", (classes) => {
  const generator = random(classes);
  const rows = Array.from({ length: 120 }, () => {
    const [x, b] = [10 + 3 * generator.normal(), generator.integer(2)];
    return {
      x,
      b,
      y: `${Math.min(classes - 1, Math.max(0, Math.round(x / 3 - 3 + b + generator.normal())))}`,
    };
  });
  const first = train(rows, { label: "y" });
  const again = train(rows, { label: "y", start: first });
  expect(first.training?.iterations).toBeGreaterThan(3);
  expect(again.training?.iterations).toBeLessThan(2);
  for (const [j, weight] of again.weights.entries()) expect(weight).toBeCloseTo(first.weights[j], 9);
});
