import { describe, expect, it } from "vitest";
import { completionSpace } from "../../src/distribution/completion-space.ts";
import { enumerateCompletions } from "../../src/distribution/completions.ts";
import { conformChunks } from "../../src/entries/remote.ts";
import { answerOfTrees } from "../../src/entries/trees.ts";
import {
  askNext,
  conform,
  conformMixture,
  encode,
  explain,
  howSure,
  impute,
  loadModel,
  type Model,
  predict,
  predictColumns,
  type Row,
  saveModel,
  type TreeClassifier,
  type TreesJson,
  trainTrees,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectationOf } from "../../src/model/kinds.ts";
import { ONE_ROW } from "../../src/predictors/expectation.ts";
import { readRow } from "../../src/schema/read-row.ts";
import { enumerated, meanOf } from "../support/enumerate-trees.ts";
import { halfOf, randomTreeModel } from "../support/random-trees.ts";

/** Sums of a few thousand products of doubles. */
const EXACT = 1e-12;
/** Standard errors within which all of a few hundred draws must lie: beyond it is one in a million. */
const SURE = 5;

/** Digits that the priors of one component and of a mixture leave alone. */
const PRIOR = 3;

const LINKS: readonly TreesJson["link"][] = ["probability", "logistic", "softmax"];

describe("expected answers of trees", () => {
  it("equal the mean over all completions, for every link and number of classes", () => {
    for (let seed = 0; seed < 60; seed++) {
      const link = LINKS[seed % 3];
      const classes = link === "logistic" ? 2 : 2 + (seed % 4);
      const { model, rows, g } = randomTreeModel(
        seed,
        { link, classes },
        { components: 3, numeric: "atoms", bins: 5 },
      );
      for (const row of rows.slice(0, 6)) {
        const known = halfOf(row, g);
        const truth = meanOf(enumerated(model, known));
        const found = Object.values(predict(model, known));
        for (let k = 0; k < classes; k++) expect(Math.abs(found[k] - truth[k])).toBeLessThan(EXACT);
      }
    }
  });

  it("are the trees' own answers, bit for bit, where nothing is missing", () => {
    for (const link of LINKS) {
      const { model, rows } = randomTreeModel(7, { link }, { components: 2, numeric: "gaussian" });
      const { predictor: trees } = model;
      const table = encode(trees.schema, rows);
      const { probabilities, standardErrors } = predictColumns(model, rows);
      rows.forEach((row, r) => {
        const own = answerOfTrees(
          trees,
          Float64Array.from(table.columns, (cells) => cells[r]),
        );
        expect(Object.values(predict(model, row))).toEqual([...own]);
        expect([...probabilities.subarray(r * 2, r * 2 + 2)]).toEqual([...own]);
      });
      expect(standardErrors?.every((error) => error === 0)).toBe(true);
    }
  });

  it("come with a standard error that holds where they are drawn", () => {
    let drawn = 0;
    for (let seed = 100; seed < 160; seed++) {
      const link = seed % 2 ? "logistic" : "softmax";
      const { model, rows, g } = randomTreeModel(
        seed,
        { link, classes: 2 },
        { components: 3, numeric: "atoms", bins: 6 },
      );
      for (const row of rows.slice(0, 5)) {
        const known = halfOf(row, g);
        const truth = meanOf(enumerated(model, known));
        const answer = expectationOf(model).expect(readRow(model.schema, known, true), {
          ...ONE_ROW,
          enumerate: 0,
          tolerance: 0.005,
          seed,
        });
        if (answer.standardError === 0) continue;
        drawn++;
        for (let k = 0; k < 2; k++)
          expect(Math.abs(answer.values[k] - truth[k])).toBeLessThan(SURE * answer.standardError);
      }
    }
    expect(drawn).toBeGreaterThan(100);
  });

  it("of a table are sampled until the standard error is within the tolerance, by default 0.01", () => {
    const { model, rows, g } = randomTreeModel(
      200,
      { link: "logistic", classes: 2 },
      { components: 3, numeric: "gaussian" },
    );
    const known = rows.slice(0, 10).map((row) => halfOf(row, g));
    const [usual, same, rough] = [undefined, 0.01, 0.03].map((tolerance) =>
      predictColumns(model, known, { tolerance }),
    );
    expect(same).toEqual(usual);
    expect(Math.max(...(usual.standardErrors ?? []))).toBeLessThanOrEqual(0.01);
    rough.standardErrors?.forEach((error, r) => {
      expect(error).toBeLessThanOrEqual(0.03);
      const off = Math.abs(rough.probabilities[2 * r] - usual.probabilities[2 * r]);
      expect(off).toBeLessThan(SURE * (error + 0.01));
    });
    expect(rough).not.toEqual(usual);
  });

  it("state the spread that other seeds show, and hardly ever the error of a case that no draw has met", () => {
    const SEEDS = 32;
    const logRatios: number[] = [];
    let [stated, floors] = [0, 0];
    for (let seed = 200; seed < 220; seed++) {
      const { model, rows, g } = randomTreeModel(
        seed,
        { link: "logistic", classes: 2 },
        { components: 3, numeric: "atoms", bins: 6 },
      );
      for (const row of rows.slice(0, 5)) {
        const cells = readRow(model.schema, halfOf(row, g), true);
        const how = { ...ONE_ROW, enumerate: 0, tolerance: 0.01 };
        const answers = Array.from({ length: SEEDS }, (_, s) =>
          expectationOf(model).expect(cells, { ...how, seed: 1000 * seed + s }),
        );
        if (answers.some(({ standardError = 0 }) => standardError === 0)) continue;
        const mean = answers.reduce((sum, { values }) => sum + values[1] / SEEDS, 0);
        const spread = answers.reduce((sum, { values }) => sum + (values[1] - mean) ** 2, 0) / (SEEDS - 1);
        const own = answers.reduce((sum, { standardError = 0 }) => sum + standardError ** 2 / SEEDS, 0);
        if (spread < 1e-20) continue; // every draw gives the same answer
        logRatios.push(Math.log(own / spread) / 2);
        stated += SEEDS;
        floors += answers.filter(({ standardError }) => standardError === 1 / 512).length;
      }
    }
    expect(logRatios.length).toBeGreaterThan(30);
    logRatios.sort((a, b) => a - b);
    // The median of the ratios of two standard deviations, each known to an eighth.
    expect(Math.abs(logRatios[logRatios.length >> 1])).toBeLessThan(0.15);
    expect(floors / stated).toBeLessThan(0.01);
  });

  it("agree between atoms and draws where a Gaussian describes the numbers and they are known", () => {
    const { model, rows } = randomTreeModel(3, { link: "logistic" }, { components: 2, numeric: "gaussian" });
    for (const row of rows.slice(0, 10)) {
      const known = { age: row.age, dose: row.dose };
      const truth = meanOf(enumerated(model, known));
      expect(Math.abs(predict(model, known)["class 1"] - truth[1])).toBeLessThan(EXACT);
    }
  });

  it("choose the distribution by their own answers to rows with hidden cells", () => {
    // Each number is nearly the sum of the two before it: atoms, which look at each by itself, know little of a hidden one.
    const g = random(12);
    const rows = Array.from({ length: 300 }, () => {
      const [a, b] = [g.normal(), g.normal()];
      const c = a + b + 0.05 * g.normal();
      return { a, b, c, d: b + c + 0.05 * g.normal(), y: c > 0 ? "yes" : "no" };
    });
    const trees = trainTrees(rows, { label: "y", maxIterations: 30 });
    const { certificate, gaussianColumns } = conformMixture(
      trees,
      rows.map(({ y: _, ...row }) => row),
      { components: 1 },
    );
    const curve = certificate.choice?.curve ?? [];
    expect(gaussianColumns?.columns).toHaveLength(4);
    expect(curve.map(({ gaussian }) => gaussian?.length)).toEqual([0, 4]);
    const [atoms, gaussian] = curve.map(({ crossEntropy }) => crossEntropy ?? Number.NaN);
    expect(gaussian).toBeLessThan(0.7 * atoms);
  });

  it("come from one component and from chunks of rows as well", async () => {
    const { model, rows } = randomTreeModel(21, { link: "logistic" }, { components: 1, numeric: "atoms" });
    const { predictor: trees } = model;
    const known = { age: rows[0].age };
    for (const other of [
      conform(trees, rows),
      await conformChunks(trees, () => [{ data: rows.slice(0, 20) }, { data: rows.slice(20) }], {
        components: 1,
        numeric: "atoms",
      }),
    ]) {
      expect(predict(other, rows[1])).toEqual(predict(model, rows[1]));
      expect(predict(other, known)["class 1"]).toBeCloseTo(predict(model, known)["class 1"], PRIOR);
    }
  });

  it("survive a model file bit for bit", () => {
    for (const link of LINKS) {
      const { model, rows, g } = randomTreeModel(11, { link }, { components: 2, numeric: "gaussian" });
      const again = loadModel(saveModel(model));
      expect(saveModel(again)).toBe(saveModel(model));
      for (const row of rows.slice(0, 5)) {
        const known = halfOf(row, g);
        expect(predict(again, known)).toEqual(predict(model, known));
      }
    }
  });
});

describe("queries on trees", () => {
  it("say how sure an answer is as enumeration does", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { model, rows, g } = randomTreeModel(
        seed,
        { link: "logistic" },
        { components: 2, numeric: "atoms", bins: 4 },
      );
      const known = halfOf(rows[0], g);
      const all = enumerated(model, known);
      const now = meanOf(all)[1] >= 0.5 ? 1 : 0;
      const same = all.reduce((sum, { p, weight }) => sum + (p[1] >= 0.5 === (now === 1) ? weight : 0), 0);
      expect(howSure(model, known).sameDecision.value).toBeCloseTo(same, 10);
    }
  });

  it("explain with a set that keeps the decision, and the smallest where they say so", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { model, rows } = randomTreeModel(
        seed,
        { link: "logistic" },
        { components: 2, numeric: "atoms", bins: 4 },
      );
      const explanation = explain(model, rows[0]);
      const decided = (names: readonly string[]): boolean => {
        const kept = Object.fromEntries(names.map((name) => [name, rows[0][name]]));
        return predict(model, kept)[explanation.prediction] >= 0.5;
      };
      expect(decided([...explanation.opposing, ...explanation.sufficient])).toBe(true);
      if (explanation.status !== "optimal" || explanation.sufficient.length === 0) continue;
      for (const left of explanation.sufficient) {
        const fewer = explanation.sufficient.filter((name) => name !== left);
        expect(decided([...explanation.opposing, ...fewer])).toBe(false);
      }
    }
  });

  it("rank questions by the information that enumeration finds", () => {
    const { model, rows } = randomTreeModel(
      5,
      { link: "logistic", depth: 3 },
      { components: 2, numeric: "atoms", bins: 4 },
    );
    const known = { city: rows[0].city };
    const questions = askNext(model, known);
    expect(questions.map(({ column }) => column).sort()).toEqual(["age", "dose", "smoker"]);
    for (const { column, informationGain, error } of questions) {
      const truth = informationOf(model, known, column);
      expect(Math.abs(informationGain - truth)).toBeLessThan(SURE * (error ?? 0) + 1e-3);
    }
  });

  it("leave what is a question about the rows alone to the distribution", () => {
    const { model, rows } = randomTreeModel(
      6,
      { link: "softmax", classes: 3 },
      { components: 2, numeric: "atoms" },
    );
    expect(Object.keys(impute(model, { age: rows[0].age })).sort()).toEqual(["city", "dose", "smoker"]);
  });
});

/** I(class; column | known) by enumeration: the mean over its values of the change of the expected answer. */
function informationOf(model: Model<TreeClassifier>, known: Row, column: string): number {
  const i = model.schema.columns.findIndex(({ name }) => name === column);
  const table = encode(model.schema, [known]);
  const space = completionSpace(model, table, 0);
  const own = space.missing.findIndex(({ index }) => index === i);
  const x = Float64Array.from(table.columns, (cells) => cells[0]);
  const joint = new Map<number, [number, number]>();
  enumerateCompletions(space, (atoms, weight) => {
    space.missing.forEach(({ index }, j) => {
      x[index] = model.atoms.columns[index].values?.[atoms[j]] ?? atoms[j];
    });
    const answer = answerOfTrees(model.predictor, x);
    const cell = joint.get(atoms[own]) ?? [0, 0];
    joint.set(atoms[own], [cell[0] + weight * answer[0], cell[1] + weight * answer[1]]);
  });
  const prior = [0, 1].map((k) => [...joint.values()].reduce((sum, cell) => sum + cell[k], 0));
  let gain = 0;
  for (const cell of joint.values()) {
    const mass = cell[0] + cell[1];
    cell.forEach((p, k) => {
      if (p > 0) gain += p * Math.log(p / (mass * prior[k]));
    });
  }
  return gain;
}
