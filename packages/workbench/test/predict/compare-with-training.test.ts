import { random } from "conformant";
import { expect, test } from "vitest";
import { compareWithTraining, tailsOf } from "../../src/predict/compare-with-training.ts";

/** Rounding of sums of logarithms. */
const DIGITS = 12;

test("tails are sums of the hypergeometric distribution", () => {
  const log = (n: number): number =>
    Array.from({ length: n }, (_, k) => Math.log(k + 1)).reduce((a, b) => a + b, 0);
  const choose = (n: number, k: number): number => log(n) - log(k) - log(n - k);
  for (const [x, n, y, m] of [
    [3, 10, 1, 40],
    [0, 25, 4, 300],
    [40, 60, 100, 400],
    [7, 7, 0, 9],
    [0, 5, 0, 9],
  ]) {
    const pmf = (k: number): number => Math.exp(choose(n, k) + choose(m, x + y - k) - choose(n + m, x + y));
    let [lower, upper] = [0, 0];
    for (let k = Math.max(0, x + y - m); k <= Math.min(n, x + y); k++) {
      if (k <= x) lower += pmf(k);
      if (k >= x) upper += pmf(k);
    }
    const own = tailsOf(x, n, y, m);
    expect(own[0]).toBeCloseTo(lower, DIGITS);
    expect(own[1]).toBeCloseTo(upper, DIGITS);
  }
});

const training = (missing: number, name = "x") => ({ name, missing });

test("a column that is missing more or less often than in training is named, a chance difference is not", () => {
  const drift = (missing: number, share: number) =>
    compareWithTraining([{ name: "x", missing, unseen: 0 }], 200, [training(share)], 1000);
  expect(drift(60, 0.1)[0]).toMatchObject({ column: "x", kind: "missing", share: 0.3, trainingShare: 0.1 });
  expect(drift(0, 0.3)).toHaveLength(1);
  expect(drift(26, 0.1)).toEqual([]);
  expect(drift(200, 1)).toEqual([]);
});

test("unseen values are compared with values that one training row has alone", () => {
  const summary = { name: "city", missing: 0, counts: [500, 400, ...new Array(100).fill(1)] };
  const drift = (unseen: number) =>
    compareWithTraining([{ name: "city", missing: 0, unseen }], 100, [summary], 1000);
  expect(drift(12)).toEqual([]);
  expect(drift(40)[0]).toMatchObject({ kind: "unseen", share: 0.4, trainingShare: 0.1 });
  const whole = { ...summary, counts: [500, 500] };
  expect(compareWithTraining([{ name: "city", missing: 0, unseen: 4 }], 100, [whole], 1000)).toHaveLength(1);
  expect(compareWithTraining([{ name: "city", missing: 0, unseen: 1 }], 100, [whole], 1000)).toEqual([]);
});

test("fewer unseen values than expected are no drift, however many rows there are", () => {
  const summary = { name: "id", missing: 0, counts: [200, ...new Array(800).fill(1)] };
  expect(compareWithTraining([{ name: "id", missing: 0, unseen: 0 }], 10_000, [summary], 1000)).toEqual([]);
});

test("numbers beyond the range of training are compared with its two ends", () => {
  const summary = { name: "age", missing: 0, minimum: 18, maximum: 90 };
  const drift = (unseen: number) =>
    compareWithTraining([{ name: "age", missing: 0, unseen }], 100, [summary], 1000);
  expect(drift(1)).toEqual([]);
  expect(drift(100)[0]).toMatchObject({ column: "age", kind: "unseen", share: 1, trainingShare: 0.002 });
});

test("with nothing changed, at most one check in a hundred names a column, whatever their number", () => {
  const generator = random(11);
  const [checks, columns, rows, trainingRows] = [400, 50, 300, 500];
  const count = (n: number, p: number): number => {
    let sum = 0;
    for (let r = 0; r < n; r++) if (generator.uniform() < p) sum++;
    return sum;
  };
  let alarms = 0;
  for (let check = 0; check < checks; check++) {
    const shares = Array.from({ length: columns }, () => generator.uniform() / 2);
    const summaries = shares.map((p, c) => ({
      name: `x${c}`,
      missing: count(trainingRows, p) / trainingRows,
    }));
    const found = shares.map((p, c) => ({ name: `x${c}`, missing: count(rows, p), unseen: 0 }));
    if (compareWithTraining(found, rows, summaries, trainingRows).length > 0) alarms++;
  }
  // Three standard deviations above 4.
  expect(alarms).toBeLessThanOrEqual(10);
});

test("of several columns the j-th smallest probability is compared with one per cent over the number that are left", () => {
  // Of 200 rows, where a training share is 10 % of 1000 rows: 34, 35 and 36 missing cells have probabilities of 0.0084, 0.0049 and 0.0028.
  const named = (missing: readonly number[]): string[] =>
    compareWithTraining(
      missing.map((n, c) => ({ name: `x${c}`, missing: n, unseen: 0 })),
      200,
      missing.map((_, c) => training(0.1, `x${c}`)),
      1000,
    ).map(({ column }) => column);
  expect(named([34])).toEqual(["x0"]);
  expect(named([35, 20, 20])).toEqual([]);
  expect(named([36, 20, 20])).toEqual(["x0"]);
  expect(named([35, 36, 20])).toEqual(["x1", "x0"]);
  expect(named([34, 35, 36])).toEqual(["x2", "x1", "x0"]);
});
