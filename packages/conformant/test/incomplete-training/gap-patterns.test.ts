import { describe, expect, it } from "vitest";
import {
  type Classifier,
  classify,
  createClassifier,
  encode,
  explain,
  explainInWords,
  loadModel,
  type Model,
  predict,
  predictColumns,
  type Row,
  saveModel,
  shapley,
  trainOnIncomplete,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";

/** Sums over the completions of a row, each a product of a few numbers: what is left is their rounding. */
const ROUNDING = 1e-12;

/**
 * People who smoke or not, are old or not, and fall ill more often where they do or are. Those who smoke leave the question open far
 * more often than others, or just as often.
 */
function people(seed: number, count: number, telling: boolean): Row[] {
  const g = random(seed);
  const chance = (p: number): number => (g.uniform() < p ? 1 : 0);
  return Array.from({ length: count }, () => {
    const old = chance(0.5);
    const smokes = chance(old ? 0.3 : 0.5);
    const ill = chance(1 / (1 + Math.exp(2.5 - 4 * smokes - 1.5 * old))) ? "yes" : "no";
    const open = chance(telling ? (smokes ? 0.8 : 0.1) : 0.45);
    return { smokes: open ? null : smokes, old: chance(0.2) ? null : old, ill };
  });
}

/** Mean −log P(label) of rows as they are. */
function lossOf(model: Model, rows: readonly Row[]): number {
  const { probabilities, classes } = predictColumns(model, rows, { extra: "ignore" });
  const K = classes.length;
  return (
    rows.reduce((sum, { ill }, r) => sum - Math.log(probabilities[r * K + classes.indexOf(String(ill))]), 0) /
    rows.length
  );
}

/** P of a whole row of 0/1 columns, marks and all, up to a constant: Σ_m π_m / Z_m Π_i q_mi(x_i) · Σ_k exp( b_k + Σ_i w_ki x_i ). */
function weightOf({ tilt, atoms, components }: Model, cells: readonly number[]): number {
  const { intercept, weights } = tilt;
  const K = intercept.length;
  const classes = intercept.reduce(
    (sum, b, k) => sum + Math.exp(cells.reduce((score, x, i) => score + x * weights[i * K + k], b)),
    0,
  );
  const mixture = components.reduce((sum, { logWeight, logNormaliser, logQ }) => {
    const log = cells.reduce((all, x, i) => all + logQ[atoms.offsets[i] + x], logWeight - logNormaliser);
    return sum + Math.exp(log);
  }, 0);
  return mixture * classes;
}

/** F'(x, r): the logistic function of the sum of the weights of values and indicators. */
function yesOf({ intercept, weights }: Classifier, cells: readonly number[]): number {
  const logOdds = (k: number): number =>
    cells.reduce((sum, x, i) => sum + x * weights[2 * i + k], intercept[k]);
  return 1 / (1 + Math.exp(logOdds(0) - logOdds(1)));
}

const HOW = { label: "ill", maxRounds: 2 } as const;
const telling = people(1, 600, true);
const ignoring = trainOnIncomplete(telling, HOW);
const informative = trainOnIncomplete(telling, { ...HOW, missing: "informative" });

describe("the pattern of gaps", () => {
  it("is taken where held-out rows say that it tells something, and then the answers are better", () => {
    const { indicators: gaps, model } = trainOnIncomplete(telling, { ...HOW, missing: "auto" });
    expect(gaps).toMatchObject({ taken: true, rows: 360, columns: ["smokes"] });
    expect(gaps?.difference?.mean).toBeLessThan(-2 * (gaps?.difference?.standardError ?? 0));
    const others = people(2, 4000, true);
    expect(lossOf(model, others)).toBeLessThan(lossOf(ignoring.model, others) - 0.02);
    expect(saveModel(model)).toBe(
      saveModel(trainOnIncomplete(telling, { ...HOW, missing: ["smokes"] }).model),
    );
  });

  it("reports how rows without a value differ from what their other values explain", () => {
    const open = telling.filter(({ smokes }) => smokes === null);
    const { indicators } = trainOnIncomplete(telling, { ...HOW, missing: "auto" });
    const [effect] = indicators?.effects ?? [];
    const share = open.filter(({ ill }) => ill === "yes").length / open.length;
    expect(effect).toMatchObject({ column: "smokes", class: "yes", rows: open.length });
    expect(effect.observed).toBeCloseTo(share, 12);
    expect(effect.expected).toBeLessThan(share - 0.05);
  });

  it("is left out where they do not: the model is that of gaps at random", () => {
    const rows = people(3, 600, false);
    const { indicators: gaps, model } = trainOnIncomplete(rows, { ...HOW, missing: "auto" });
    expect(gaps).toMatchObject({ taken: false });
    expect(saveModel(model)).toBe(saveModel(trainOnIncomplete(rows, HOW).model));
  });

  it("is a column with a weight behind the others: complete rows have the answers of the weights of x, to the last bit", () => {
    const { model, classifier } = informative;
    expect(model.schema.columns.slice(2)).toEqual([
      { name: "smokes is missing", kind: "binary", gapOf: "smokes" },
      { name: "old is missing", kind: "binary", gapOf: "old" },
    ]);
    const K = classifier.classes.length;
    expect(Math.abs(classifier.weights[2 * K + 1])).toBeGreaterThan(0.5);
    const columns = model.schema.columns.slice(0, 2);
    const without = createClassifier({
      ...classifier,
      schema: { columns },
      weights: classifier.weights.slice(0, columns.length * K),
    });
    for (const smokes of [0, 1])
      for (const old of [0, 1]) {
        const own = classify(without, { smokes, old });
        expect(classify(classifier, { smokes, old })).toEqual(own);
        expect(predict(model, { smokes, old })).toEqual(own);
        expect([...predictColumns(model, [{ smokes, old }]).probabilities]).toEqual(Object.values(own));
      }
  });

  it("gives the expected prediction by enumeration over what may be missing, given the pattern", () => {
    const { model, classifier } = informative;
    for (const row of [{}, { smokes: 1 }, { old: 0 }, { old: 1 }] as Row[]) {
      let [yes, all] = [0, 0];
      for (const smokes of [0, 1])
        for (const old of [0, 1]) {
          if ((row.smokes ?? smokes) !== smokes || (row.old ?? old) !== old) continue;
          const marks = [row.smokes === undefined ? 1 : 0, row.old === undefined ? 1 : 0];
          const weight = weightOf(model, [smokes, old, ...marks]);
          all += weight;
          yes += weight * yesOf(classifier, [smokes, old, ...marks]);
        }
      expect(Math.abs(predict(model, row).yes - yes / all)).toBeLessThan(ROUNDING);
    }
  });

  it("says what each value and each missing value adds, by enumeration over values and patterns", () => {
    const { model, classifier } = informative;
    /** P(yes) where of a column its value and whether it is missing are known, or neither. */
    const given = (known: (number | undefined)[]): number => {
      let [yes, all] = [0, 0];
      for (let bits = 0; bits < 16; bits++) {
        const cells = [0, 1, 2, 3].map((i) => (bits >> i) & 1);
        if (cells.some((x, i) => known[i] !== undefined && known[i] !== x)) continue;
        const weight = weightOf(model, cells);
        all += weight;
        yes += weight * yesOf(classifier, cells);
      }
      return yes / all;
    };
    // smokes is missing, old is 1: the columns are smokes, old and their indicators.
    const [nothing, missing, old, both] = [
      given([]),
      given([undefined, undefined, 1, undefined]),
      given([undefined, 1, undefined, 0]),
      given([undefined, 1, 1, 0]),
    ];
    const row = { old: 1 };
    expect(Math.abs(predict(model, row).yes - both)).toBeLessThan(ROUNDING);
    const explained = explain(model, row);
    const toYes = explained.prediction === "yes" ? 1 : -1;
    const effect = (name: string): number =>
      toYes * (explained.contributions.find(({ column }) => column === name)?.probability ?? Number.NaN);
    expect(explained.contributions.map(({ column, value }) => [column, value]).sort()).toEqual([
      ["old", 1],
      ["smokes", null],
    ]);
    expect(Math.abs(effect("smokes") - (both - old))).toBeLessThan(ROUNDING);
    expect(Math.abs(effect("old") - (both - missing))).toBeLessThan(ROUNDING);
    const shares = shapley(model, row, { class: "yes" });
    expect(Math.abs(shares.baseline - nothing)).toBeLessThan(ROUNDING);
    expect(Math.abs(shares.total - both)).toBeLessThan(ROUNDING);
    const truth = { smokes: (missing - nothing + both - old) / 2, old: (old - nothing + both - missing) / 2 };
    for (const { column, contribution } of shares.contributions)
      expect(Math.abs(contribution - truth[column as "smokes" | "old"])).toBeLessThan(ROUNDING);
    expect(explainInWords(explained)).toContain("smokes is missing");
  });

  it("keeps the indicators of a table: cells that were masked since are missing at random", () => {
    const { model } = informative;
    const table = encode(model.schema, [{ smokes: 1, old: 1 }]);
    const columns = table.columns.map((cells, i) => (i === 0 ? cells.map(() => -1) : cells));
    const [, masked] = predictColumns(model, { ...table, columns }).probabilities;
    const { intercept, weights } = informative.classifier;
    expect(weights.length).toBe(4 * intercept.length);
    let [yes, all] = [0, 0];
    for (const smokes of [0, 1]) {
      const weight = weightOf(model, [smokes, 1, 0, 0]);
      all += weight;
      yes += weight * yesOf(informative.classifier, [smokes, 1, 0, 0]);
    }
    expect(Math.abs(masked - yes / all)).toBeLessThan(ROUNDING);
    expect(Math.abs(masked - predict(model, { old: 1 }).yes)).toBeGreaterThan(0.02);
  });

  it("is the same for a row alone, among others, as columns and from the file", () => {
    const text = saveModel(informative.model);
    // What does not know of marks would ask for them: it has to refuse the file.
    expect(JSON.parse(text).version).toBe(4);
    const copy = loadModel(text);
    const rows: Row[] = [{ old: 1 }, { smokes: 0 }, {}, { smokes: 1, old: 0 }];
    const names = ["smokes", "old"];
    const columns = Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)]));
    for (const model of [informative.model, copy]) {
      const together = [...predictColumns(model, rows).probabilities];
      expect(together).toEqual([...predictColumns(model, columns).probabilities]);
      expect(together).toEqual(rows.flatMap((row) => Object.values(predict(model, row))));
    }
  });

  it("is nothing to look at where no cell is missing, and wrong words are refused", () => {
    const whole = telling.filter(({ smokes, old }) => smokes !== null && old !== null);
    const { indicators: gaps, model } = trainOnIncomplete(whole, { ...HOW, missing: "informative" });
    expect(gaps).toBeUndefined();
    expect(model.schema.columns).toHaveLength(2);
    expectError(
      () => trainOnIncomplete(telling, { ...HOW, missing: "some" as never }),
      "invalid-argument",
      /options.missing must be "random", "informative" or "auto", or a list of names, got "some"/,
    );
  });
});
