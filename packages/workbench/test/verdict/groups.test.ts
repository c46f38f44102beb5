import { random } from "conformant";
import { describe, expect, test } from "vitest";
import { areaUnderCurve } from "../../src/verdict/area-under-curve.ts";
import { classificationVerdict } from "../../src/verdict/classification-verdict.ts";
import { regressionVerdict } from "../../src/verdict/regression-verdict.ts";

/** Rounding of sums of some hundred numbers. */
const DIGITS = 12;

const [TABLES, PATIENTS, VISITS] = [100, 80, 8];

/** Patients whose visits have one outcome, and a model that sees a mark of the patient: P(sick | mark) = 1 / (1 + e^(−mark)). */
function drawVisits(seed: number, patients = PATIENTS) {
  const drawn = random(seed);
  const marks = Float64Array.from({ length: patients }, () => 1.5 * drawn.normal());
  const sick = marks.map((mark) => Number(drawn.uniform() < 1 / (1 + Math.exp(-mark))));
  const groups = Int32Array.from({ length: patients * VISITS }, (_, r) => Math.floor(r / VISITS));
  const labels = Array.from(groups, (g) => sick[g]);
  const second = Array.from(groups, (g) => 1 / (1 + Math.exp(-marks[g])));
  return { groups, labels, answers: Float64Array.from(second.flatMap((p) => [1 - p, p])), second };
}

function verdictOf(seed: number, isGrouped: boolean, patients = PATIENTS) {
  const { groups, ...scored } = drawVisits(seed, patients);
  const given = { ...scored, classes: ["well", "sick"], folds: 5, ...(isGrouped && { groups }) };
  return classificationVerdict(given);
}

function numbersOf(seed: number, isGrouped: boolean, patients = PATIENTS) {
  const { groups, second } = drawVisits(seed, patients);
  const drawn = random(seed + 1);
  const errors = Float64Array.from({ length: patients }, () => drawn.normal());
  const answers = Float64Array.from(second);
  const labels = answers.map((x, r) => x + errors[groups[r]] + 0.3 * drawn.normal());
  return regressionVerdict({ answers, labels, folds: 5, label: "y", ...(isGrouped && { groups }) });
}

describe("of 100 tables of patients with eight visits each and one outcome, the truth", () => {
  const MANY = 50_000;
  const truth = verdictOf(1000, false, MANY);
  const { rmse } = numbersOf(1000, false, MANY);
  const cells = {
    accuracy: (seed: number, isGrouped: boolean) => {
      const { accuracy, accuracyStandardError } = verdictOf(seed, isGrouped);
      return (accuracy - truth.accuracy) / accuracyStandardError;
    },
    "log loss": (seed: number, isGrouped: boolean) => {
      const { logLoss, logLossStandardError } = verdictOf(seed, isGrouped);
      return (logLoss - truth.logLoss) / logLossStandardError;
    },
    AUC: (seed: number, isGrouped: boolean) => {
      const { twoClasses } = verdictOf(seed, isGrouped);
      return ((twoClasses?.auc ?? 0) - (truth.twoClasses?.auc ?? 0)) / (twoClasses?.aucStandardError ?? 1);
    },
    RMSE: (seed: number, isGrouped: boolean) => {
      const own = numbersOf(seed, isGrouped);
      return (own.rmse - rmse) / own.rmseStandardError;
    },
  };
  test.each(Object.entries(cells))("of the %s is within two standard errors in 90 or more", (_, off) => {
    const within = (isGrouped: boolean): number =>
      Array.from({ length: TABLES }, (_, seed) => Math.abs(off(seed, isGrouped))).filter((z) => z <= 2)
        .length;
    expect(within(true)).toBeGreaterThanOrEqual(90);
    expect(within(false)).toBeLessThan(70);
  });
});

test("the standard error of the area under the curve is Obuchowski's in a loop over all pairs", () => {
  const drawn = random(7);
  const groups = Array.from({ length: 90 }, () => drawn.integer(20));
  const labels = groups.map((g) => Number(drawn.uniform() < (g % 3) / 3 + 0.15));
  const scores = Float64Array.from(groups, (g, r) =>
    Math.round(3 * (labels[r] + drawn.normal() + (g % 5) / 4)),
  );
  const rowsOf = (k: number): number[] => [...labels.keys()].filter((r) => labels[r] === k);
  const beats = (a: number, b: number): number => (a > b ? 1 : a === b ? 0.5 : 0);
  const [negatives, positives] = [rowsOf(0), rowsOf(1)];
  const [n, m] = [negatives.length, positives.length];
  const v1 = (i: number): number => negatives.reduce((sum, j) => sum + beats(scores[i], scores[j]), 0) / n;
  const v0 = (j: number): number => positives.reduce((sum, i) => sum + beats(scores[i], scores[j]), 0) / m;
  const auc = positives.reduce((sum, i) => sum + v1(i), 0) / m;
  const all = [...new Set(groups)];
  const sumIn = (rows: number[], g: number, v: (r: number) => number): number =>
    rows.reduce((sum, r) => sum + (groups[r] === g ? v(r) - auc : 0), 0);
  const has = (rows: number[]): number => all.filter((g) => rows.some((r) => groups[r] === g)).length;
  const [g1, g0, g] = [has(positives), has(negatives), all.length];
  const total = (of: (g: number) => number): number => all.reduce((sum, group) => sum + of(group), 0);
  const s10 = (g1 / ((g1 - 1) * m)) * total((own) => sumIn(positives, own, v1) ** 2);
  const s01 = (g0 / ((g0 - 1) * n)) * total((own) => sumIn(negatives, own, v0) ** 2);
  const s11 = (g / (g - 1)) * total((own) => sumIn(positives, own, v1) * sumIn(negatives, own, v0));
  const own = areaUnderCurve(scores, labels, groups);
  expect(own.auc).toBeCloseTo(auc, DIGITS);
  expect(own.standardError).toBeCloseTo(Math.sqrt(s10 / m + s01 / n + (2 * s11) / (m * n)), DIGITS);
});
