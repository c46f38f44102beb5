import { describe, expect, it } from "vitest";
import { classify, conform, predict, type Row, train, trainWithGaps } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";

/** Rows whose class is a known logistic function of correlated columns, with cells hidden at random. */
function rowsWithGaps(seed: number, count: number, gaps: number): { rows: Row[]; complete: Row[] } {
  const g = random(seed);
  const complete = Array.from({ length: count }, () => {
    const group = g.integer(2);
    const bit = () => (g.uniform() < (group === 0 ? 0.15 : 0.85) ? 1 : 0);
    const [a, b, c] = [bit(), bit(), bit()];
    const x = group + 0.5 * g.normal();
    const logit = -1 + 2 * a - 1.5 * b + 1.2 * x;
    return {
      a,
      b,
      c,
      x,
      colour: group === 0 ? "red" : "blue",
      y: g.uniform() < 1 / (1 + Math.exp(-logit)) ? "yes" : "no",
    };
  });
  const hide = ([name, value]: [string, unknown]) => [
    name,
    name !== "y" && g.uniform() < gaps ? null : value,
  ];
  return { complete, rows: complete.map((row) => Object.fromEntries(Object.entries(row).map(hide))) };
}

function logLoss(answer: (row: Row) => Record<string, number>, rows: readonly Row[]): number {
  return rows.reduce((sum, { y, ...row }) => sum - Math.log(answer(row)[String(y)]), 0) / rows.length;
}

describe("training on rows with gaps", () => {
  const { rows } = rowsWithGaps(1, 600, 0.35);
  const test = rowsWithGaps(2, 1500, 0);
  const trained = trainWithGaps(rows, { label: "y", components: 2 });

  it("learns more than from the complete rows alone", () => {
    const left = train(rows, { label: "y" });
    expect(left.training?.rowsWithGaps).toBeGreaterThan(450);
    const ours = logLoss((row) => classify(trained.classifier, row), test.complete);
    const theirs = logLoss((row) => classify(left, row), test.complete);
    expect(ours).toBeLessThan(theirs);
    // What all cells would have taught, within 5 %.
    const everything = train(rowsWithGaps(1, 600, 0).rows, { label: "y" });
    expect(ours).toBeLessThan(1.05 * logLoss((row) => classify(everything, row), test.complete));
  });

  it("gives a model that conforms with the classifier", () => {
    const { y: _, ...row } = test.complete[0];
    const [ours, theirs] = [predict(trained.model, row), classify(trained.classifier, row)];
    expect(Math.abs(ours.yes - theirs.yes)).toBeLessThan(1e-12);
    expect(trained.model.classifier).toBe(trained.classifier);
  });

  it("stops when the loss on held-out rows stops falling", () => {
    const { heldOutLoss } = trained;
    heldOutLoss.slice(1, -1).forEach((loss, j) => {
      expect(loss).toBeLessThan(heldOutLoss[j]);
    });
    expect(heldOutLoss.length).toBeLessThanOrEqual(4);
  });

  it("is the same for the same seed", () => {
    const again = trainWithGaps(rows, { label: "y", components: 2 });
    expect(again.classifier.weights).toEqual(trained.classifier.weights);
  });

  it("works where no row is complete and where none has a gap", () => {
    const none = rows.map((row, r) => (r % 2 ? { ...row, a: null } : { ...row, b: null }));
    expect(trainWithGaps(none, { label: "y", components: 1 }).classifier.training?.status).toBe("converged");
    const complete = rowsWithGaps(3, 200, 0).rows;
    const ours = trainWithGaps(complete, { label: "y", components: 1 }).classifier;
    const theirs = train(complete, { label: "y" });
    ours.weights.forEach((w, j) => {
      expect(w).toBeCloseTo(theirs.weights[j], 4);
    });
  });

  it("names what does not fit", () => {
    expectError(() => trainWithGaps(rows, { label: "z" }), "unknown-column", /options.label names "z"/);
    expectError(
      () => trainWithGaps(rows, { label: "y", draws: 0 }),
      "invalid-argument",
      /options.draws .* got 0/,
    );
  });

  it("beats nothing by accident: a model of the complete rows is worse on rows with gaps", () => {
    const left = train(rows, { label: "y" });
    const gappy = rowsWithGaps(5, 1500, 0.4).rows;
    const naive = conform(left, rows);
    expect(logLoss((row) => predict(trained.model, row), gappy)).toBeLessThan(
      logLoss((row) => predict(naive, row), gappy),
    );
  });
});
