import { describe, expect, it } from "vitest";
import { classify, conform, predict, type Row, train, trainOnIncomplete } from "../../src/index.ts";
import { integrate } from "../../src/math/integrate.ts";
import { normalDensity } from "../../src/math/normal.ts";
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

describe("training on incomplete rows", () => {
  const { rows } = rowsWithGaps(1, 600, 0.35);
  const test = rowsWithGaps(2, 1500, 0);
  const trained = trainOnIncomplete(rows, { label: "y", components: 2 });

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
    expect(trained.model.predictor).toBe(trained.classifier);
  });

  it("stops when the loss on held-out rows stops falling", () => {
    const { heldOutLoss } = trained;
    heldOutLoss.slice(1, -1).forEach((loss, j) => {
      expect(loss).toBeLessThan(heldOutLoss[j]);
    });
    expect(heldOutLoss.length).toBeLessThanOrEqual(4);
  });

  it("is the same for the same seed", () => {
    const again = trainOnIncomplete(rows, { label: "y", components: 2 });
    expect(again.classifier.weights).toEqual(trained.classifier.weights);
  });

  it("works where no row is complete and where none has a gap", () => {
    const none = rows.map((row, r) => (r % 2 ? { ...row, a: null } : { ...row, b: null }));
    expect(trainOnIncomplete(none, { label: "y", components: 1 }).classifier.training?.status).toBe(
      "converged",
    );
    const complete = rowsWithGaps(3, 200, 0).rows;
    const ours = trainOnIncomplete(complete, { label: "y", components: 1 }).classifier;
    const theirs = train(complete, { label: "y" });
    ours.weights.forEach((w, j) => {
      expect(w).toBeCloseTo(theirs.weights[j], 4);
    });
  });

  it("names what does not fit", () => {
    expectError(() => trainOnIncomplete(rows, { label: "z" }), "unknown-column", /options.label names "z"/);
    expectError(
      () => trainOnIncomplete(rows, { label: "y", draws: 0 }),
      "invalid-argument",
      /options.draws .* got 0/,
    );
  });

  it("beats nothing by accident: a model of the complete rows is worse on rows with gaps", () => {
    const left = train(rows, { label: "y" });
    const incomplete = rowsWithGaps(5, 1500, 0.4).rows;
    const naive = conform(left, rows);
    expect(logLoss((row) => predict(trained.model, row), incomplete)).toBeLessThan(
      logLoss((row) => predict(naive, row), incomplete),
    );
  });
});

describe("training on correlated numbers with gaps", () => {
  /** The classes' true log-odds: 2.5 a − 2 b + 0.5. */
  const TRUTH = { a: 2.5, b: -2, c: 0, d: 0 };
  const columns = Object.keys(TRUTH);

  function correlated(seed: number, count: number, gaps: number): Row[] {
    const g = random(seed);
    return Array.from({ length: count }, () => {
      const z = g.normal();
      const near = (): number => 0.9 * z + 0.45 * g.normal();
      const row = { a: near(), b: near(), c: near(), d: near() };
      const y = g.uniform() < 1 / (1 + Math.exp(-(0.5 + TRUTH.a * row.a + TRUTH.b * row.b))) ? "yes" : "no";
      const hidden = Object.entries(row).map(([name, x]) => [name, g.uniform() < gaps ? null : x]);
      return { ...Object.fromEntries(hidden), y };
    });
  }

  const rows = correlated(1, 1500, 0.4);
  const [complete, incomplete] = [correlated(2, 4000, 0), correlated(3, 2000, 0.4)];
  const { classifier, model } = trainOnIncomplete(rows, { label: "y", most: 2 });
  const means = columns.map((name) => {
    const known = rows.flatMap((row) => (row[name] === null ? [] : [Number(row[name])]));
    return known.reduce((sum, x) => sum + x, 0) / known.length;
  });
  const filled = (row: Row): Row => ({
    ...row,
    ...Object.fromEntries(columns.map((name, i) => [name, row[name] ?? means[i]])),
  });
  const onMeans = train(rows.map(filled), { label: "y" });

  it("takes a Gaussian over them, and conforms", () => {
    expect(model.certificate.gaussian?.columns).toEqual(columns);
    expect(model.certificate.conformityError).toBeLessThan(1e-10);
    expect(classifier.training?.rowsCompleted).toBe(
      rows.filter((row) => columns.some((name) => row[name] === null)).length,
    );
  });

  it("comes nearer to the true weights than filling in means, and loses as little as with all cells", () => {
    const error = ({ weights }: typeof classifier): number =>
      Math.max(
        ...columns.map((name, i) =>
          Math.abs(weights[2 * i + 1] - weights[2 * i] - TRUTH[name as keyof typeof TRUTH]),
        ),
      );
    expect(error(classifier)).toBeLessThan(error(onMeans) / 2);
    const everything = train(correlated(1, 1500, 0), { label: "y" });
    const lossOf = (trained: typeof classifier): number => logLoss((row) => classify(trained, row), complete);
    expect(lossOf(classifier)).toBeLessThan(lossOf(onMeans));
    expect(lossOf(classifier)).toBeLessThan(1.01 * lossOf(everything));
  });

  /**
   * P(yes | the known columns) under the distribution that made the rows: z given them is normal, and so is the log-odds.
   * The noise has variance 0.45² and every column is 0.9 z.
   */
  function truth(row: Row): Record<string, number> {
    const known = columns.filter((name) => row[name] !== null);
    const precision = 1 + (known.length * 0.9 ** 2) / 0.45 ** 2;
    const z = known.reduce((sum, name) => sum + (0.9 * Number(row[name])) / 0.45 ** 2, 0) / precision;
    let [mean, slope, variance] = [0.5, 0, 0];
    for (const [name, w] of Object.entries(TRUTH)) {
      if (row[name] !== null) mean += w * Number(row[name]);
      else [mean, slope, variance] = [mean + 0.9 * w * z, slope + 0.9 * w, variance + (0.45 * w) ** 2];
    }
    const deviation = Math.sqrt(variance + slope ** 2 / precision);
    const { value } = integrate(
      (t) => normalDensity(t) / (1 + Math.exp(-mean - deviation * t)),
      [-9, 9],
      1e-10,
    );
    return { yes: value, no: 1 - value };
  }

  it("predicts rows with gaps better than filling in means does, nearly as well as who knows the distribution", () => {
    const ours = logLoss((row) => predict(model, row), incomplete);
    const means = logLoss((row) => classify(onMeans, row), incomplete.map(filled));
    const best = logLoss(truth, incomplete);
    expect(ours).toBeLessThan(means);
    expect(ours).toBeLessThan(1.01 * best);
    expect(best).toBeLessThan(ours);
  });

  it("takes tables too small to hold a row out: one round then", () => {
    const rows: Row[] = [1, 2, 3, 4, 5, 6, 7, 8].map((a, r) => ({
      a,
      b: r === 1 ? null : a % 3,
      y: "pq"[r % 2],
    }));
    for (let count = 2; count <= rows.length; count++) {
      const { heldOutLoss, model } = trainOnIncomplete(rows.slice(0, count), { label: "y" });
      expect(heldOutLoss).toEqual([]);
      expect(predict(model, rows[0])).toEqual(classify(model.predictor, rows[0]));
    }
  });

  it("never holds the only value of a column out", () => {
    const rows: Row[] = Array.from({ length: 40 }, (_, r) => ({
      a: r % 7,
      rare: r === 11 ? 1.5 : null,
      y: "pq"[r % 2],
    }));
    for (let seed = 0; seed < 20; seed++) {
      expect(trainOnIncomplete(rows, { label: "y", seed, maxRounds: 1 }).heldOutLoss).toHaveLength(1);
    }
  });

  it("refuses a column that has values only where the label is missing", () => {
    const rows: Row[] = [1, 2, 3, 4].map((a, r) => ({ a, b: null, y: "pq"[r % 2] }));
    const more = [...rows, { a: 1, b: 5, y: null }];
    expectError(
      () => trainOnIncomplete(more, { label: "y" }),
      "empty-column",
      /column "b" has no value in any row with a label/,
    );
    const weights = [1, 0, 1, 0];
    expectError(
      () => trainOnIncomplete(rows, { label: "y", weights, exclude: ["b"] }),
      "single-class",
      /positive weight, got only "p"/,
    );
  });
});

describe("training with the mixture of a sample", () => {
  const { rows } = rowsWithGaps(3, 4000, 0.3);
  const test = rowsWithGaps(4, 3000, 0.3);
  const how = { label: "y", components: 2, missing: "auto" } as const;
  const sampled = trainOnIncomplete(rows, { ...how, mixtureRows: 500 });

  it("trains on all rows and predicts as well as with the mixture of all", () => {
    expect(sampled.classifier.training?.rows).toBe(rows.length);
    expect(sampled.model.rows).toBe(500);
    const all = trainOnIncomplete(rows, how);
    const lossOf = ({ model }: typeof all): number => logLoss((row) => predict(model, row), test.rows);
    expect(lossOf(sampled)).toBeLessThan(1.01 * lossOf(all));
    const few = trainOnIncomplete(rows.slice(0, 500), how);
    expect(lossOf(sampled)).toBeLessThan(lossOf(few));
  });

  it("gives a model that conforms with the classifier, the same again", () => {
    const { y: _, ...row } = test.complete[0];
    const [ours, theirs] = [predict(sampled.model, row), classify(sampled.classifier, row)];
    expect(Math.abs(ours.yes - theirs.yes)).toBeLessThan(1e-12);
    expect(trainOnIncomplete(rows, { ...how, mixtureRows: 500 })).toEqual(sampled);
  });

  it("knows classes and columns of which a random sample has no row", () => {
    const rare = rows.map((row, r) => ({
      ...row,
      seldom: r % 1000 === 7 ? 1 + (r % 3) : null,
      y: r % 400 === 9 ? "perhaps" : row.y,
    }));
    const { model, classifier } = trainOnIncomplete(rare, {
      ...how,
      missing: "informative",
      mixtureRows: 200,
    });
    expect(classifier.classes).toEqual(["no", "perhaps", "yes"]);
    const { perhaps } = predict(model, { seldom: 2 });
    expect(perhaps).toBeGreaterThan(0);
    expect(perhaps).toBeLessThan(0.1);
  });

  it("changes nothing where there are no more rows", () => {
    const few = rows.slice(0, 300);
    expect(trainOnIncomplete(few, { ...how, mixtureRows: 300 })).toEqual(trainOnIncomplete(few, how));
  });
});
