import { random } from "conformant";
import { expect, test } from "vitest";
import { areaUnderCurve } from "../../src/verdict/area-under-curve.ts";
import { classificationVerdict } from "../../src/verdict/classification-verdict.ts";
import { calibrationSentence } from "../../src/verdict/verdict-sentence.ts";
import { describeVerdict } from "../../src/verdict/verdict-text.ts";

/** Rounding of sums of a few numbers. */
const DIGITS = 12;

const positive = [0.9, 0.35, 0.6, 0.2, 0.75, 0.5, 0.05, 0.65];
const labels = [1, 0, 0, 0, 1, 1, 0, 1];
const answers = Float64Array.from(positive.flatMap((p) => [1 - p, p]));
const scored = { answers, labels, classes: ["no", "yes"], folds: 5 };

/** As scikit-learn has them: log_loss, roc_auc_score, recall_score, precision_score, confusion_matrix. */
test("the scores of two classes are those of scikit-learn", () => {
  const verdict = classificationVerdict(scored);
  expect(verdict.rows).toBe(8);
  expect(verdict.accuracy).toBe(0.875);
  expect(verdict.logLoss).toBeCloseTo(0.392310397303797, DIGITS);
  expect(verdict.baselineAccuracy).toBe(0.5);
  expect(verdict.baselineLogLoss).toBeCloseTo(Math.LN2, DIGITS);
  expect(verdict.brier).toBeCloseTo(2 * 0.12125, DIGITS);
  expect(verdict.confusion).toEqual([
    [3, 1],
    [0, 4],
  ]);
  expect(verdict.twoClasses).toMatchObject({ positive: "yes", recall: 1, precision: 0.8 });
  expect(verdict.twoClasses?.auc).toBeCloseTo(15 / 16, DIGITS);
});

test("calibration has the bins that hold predictions, with their mean confidence and accuracy", () => {
  // The predicted classes have the probabilities 0.9, 0.65, 0.6, 0.8, 0.75, 0.5, 0.95 and 0.65; the third is wrong.
  const bins = classificationVerdict(scored).calibration;
  const rounded = (x: number): number => Math.round(x * 1e9) / 1e9;
  expect(bins.map((bin) => Object.values(bin).map(rounded))).toEqual([
    [0.5, 0.6, 1, 0.5, 1],
    [0.6, 0.7, 3, rounded(1.9 / 3), rounded(2 / 3)],
    [0.7, 0.8, 1, 0.75, 1],
    [0.8, 0.9, 1, 0.8, 1],
    [0.9, 1, 2, 0.925, 1],
  ]);
});

test("the area under the curve and its standard error are those of a loop over all pairs, ties counting half", () => {
  const generator = random(3);
  const classes = Array.from({ length: 60 }, () => generator.integer(2));
  const scores = Float64Array.from(classes, (k) => Math.round(4 * (k + 2 * generator.normal())));
  const groups = [0, 1].map((k) => [...scores].filter((_, r) => classes[r] === k));
  const beats = (a: number, b: number): number => (a > b ? 1 : a === b ? 0.5 : 0);
  const mean = (values: number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
  const ofPositive = groups[1].map((a) => mean(groups[0].map((b) => beats(a, b))));
  const ofNegative = groups[0].map((b) => mean(groups[1].map((a) => beats(a, b))));
  const auc = mean(ofPositive);
  const variance = [ofPositive, ofNegative].reduce(
    (sum, v) => sum + mean(v.map((x) => (x - auc) ** 2)) / (v.length - 1),
    0,
  );
  const own = areaUnderCurve(scores, classes);
  expect(own.auc).toBeCloseTo(auc, DIGITS);
  expect(own.standardError).toBeCloseTo(Math.sqrt(variance), DIGITS);
});

test("the sentence says whether the probabilities are better than the class shares", () => {
  const generator = random(1);
  const classes = ["a", "b", "c", "d"];
  const truth = Array.from({ length: 400 }, (_, r) => r % 4);
  const sure = (p: number, of: (k: number) => number): Float64Array =>
    Float64Array.from(truth.flatMap((k) => classes.map((_, j) => (j === of(k) ? p : (1 - p) / 3))));
  const sentence = (given: Float64Array): string =>
    classificationVerdict({ answers: given, labels: truth, classes, folds: 5 }).sentence;
  expect(sentence(sure(0.7, (k) => k))).toBe(
    "On new rows: right in about 100.0% ± 0.3 (guessing the most common class: 25.0%). Log loss 0.36, better than the class shares' 1.39.",
  );
  expect(sentence(sure(0.25, (k) => k))).toMatch(
    /Log loss 1\.3863, within chance of the class shares' 1\.3863: no better than guessing\.$/,
  );
  expect(sentence(sure(0.8, () => generator.integer(4)))).toMatch(
    /Log loss \d\.\d\d, worse than the class shares' 1\.39: no better than guessing, not usable for decisions\.$/,
  );
});

test("where only the log loss is no better than guessing, the sentence names what is better", () => {
  const sentence = (
    labels: readonly number[],
    classes: readonly string[],
    of: (r: number) => number[],
  ): string =>
    classificationVerdict({
      answers: Float64Array.from(labels.flatMap((_, r) => of(r))),
      labels,
      classes,
      folds: 5,
    }).sentence;
  // 12 of 60 rows are positive and rank first, but so are 6 others, and one positive row gets a tiny probability.
  const rare = Array.from({ length: 60 }, (_, r) => (r < 12 ? 1 : 0));
  const ranked = (r: number): number => (r === 11 ? 1e-4 : r < 18 ? 0.45 : 0.15);
  expect(sentence(rare, ["no", "yes"], (r) => [1 - ranked(r), ranked(r)])).toMatch(
    /within chance of the class shares' 0\.\d+: no better than guessing, except in the order of the rows \(AUC 0\.\d\d\)\.$/,
  );
  // Half of the rows of four classes are right, and two are wrong with near certainty.
  const even = Array.from({ length: 80 }, (_, r) => r % 4);
  const answered = (r: number): number[] => {
    const sure = r < 2 ? 0.995 : 0.5;
    const k = r < 40 ? (even[r] + 1) % 4 : even[r];
    return [0, 1, 2, 3].map((j) => (j === k ? sure : (1 - sure) / 3));
  };
  expect(sentence(even, ["a", "b", "c", "d"], answered)).toMatch(
    /within chance of the class shares' 1\.\d+: no better than guessing, except for the predicted class\.$/,
  );
});

test("calibration is told by the bin that is off most beside chance", () => {
  const bin = { from: 0.7, to: 0.8, rows: 200, confidence: 0.76, accuracy: 0.55 };
  const fine = { from: 0.9, to: 1, rows: 900, confidence: 0.95, accuracy: 0.95 };
  expect(calibrationSentence({ calibration: [bin, fine] })).toBe(
    "when it says 76%, it is right 55% of the time (200 rows)",
  );
  expect(calibrationSentence({ calibration: [{ ...bin, rows: 9 }, fine] })).toBe(
    "when it says 95%, it is right 95% of the time (900 rows)",
  );
});

test("the confusion table names twelve classes, adds up the others, and ends with the recall", () => {
  const confusionOf = (K: number): ReturnType<typeof describeVerdict>["confusion"] => {
    const classes = Array.from({ length: K }, (_, k) => `c${k}`);
    // Class 0 has a row that is predicted right and one that is predicted to be the last class; class 1 has none.
    const labels = [0, 0, ...classes.keys()].filter((k, r) => r < 2 || k > 1);
    const predicted = [0, K - 1, ...labels.slice(2)];
    const answers = Float64Array.from(predicted.flatMap((one) => classes.map((_, k) => Number(k === one))));
    return describeVerdict(classificationVerdict({ answers, labels, classes, folds: 5 }), classes).confusion;
  };
  expect(confusionOf(2)).toBeUndefined();
  expect(confusionOf(3)).toEqual({
    header: ["true class", "→ c0", "→ c1", "→ c2", "recall"],
    rows: [
      ["c0", "1", "0", "1", "50 %"],
      ["c1", "0", "0", "0", ""],
      ["c2", "0", "0", "1", "100 %"],
    ],
  });
  const zeros = new Array(10).fill("0");
  expect(confusionOf(12)?.rows[0]).toEqual(["c0", "1", ...zeros, "1", "50 %"]);
  const many = confusionOf(14);
  expect(many?.header.slice(12)).toEqual(["→ c11", "→ 2 more", "recall"]);
  expect(many?.rows[0]).toEqual(["c0", "1", "0", ...zeros, "1", "50 %"]);
  expect(many?.rows.length).toBe(12);
});
