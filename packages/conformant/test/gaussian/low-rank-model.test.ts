import { describe, expect, it } from "vitest";
import { createGaussian } from "../../src/gaussian/gaussian.ts";
import {
  askNext,
  type Classifier,
  conformMixture,
  createModel,
  explain,
  howSure,
  impute,
  loadModel,
  logEvidence,
  type Model,
  predict,
  type Row,
  saveModel,
  train,
} from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";
import { ModelFileReader } from "../oracles/model-file-reader.ts";

const NAMES = Array.from({ length: 8 }, (_, i) => `x${i}`);

/** Rows of eight numbers that two others move, of which the class depends. */
function makeRows(g: Random, count: number): Row[] {
  const loadings = NAMES.map(() => [g.normal(), g.normal()]);
  return Array.from({ length: count }, () => {
    const [a, b] = [g.normal(), g.normal()];
    const numbers = loadings.map(([p, q], i) => [NAMES[i], p * a + q * b + 0.5 * g.normal()] as const);
    const score = a + 0.5 * g.normal();
    return { ...Object.fromEntries(numbers), class: score > 0.5 ? "high" : score < -0.5 ? "low" : "middle" };
  });
}

function masked(row: Row, rate: number, g: Random): Row {
  return Object.fromEntries(NAMES.flatMap((name) => (g.uniform() < rate ? [] : [[name, row[name]]])));
}

/** A model of low rank of rows of which some lack values, and the same with its covariances in full. */
function fitModels(components: number): { model: Model<Classifier>; full: Model<Classifier>; rows: Row[] } {
  const g = random(components);
  const rows = makeRows(g, 150);
  const classifier = train(rows, { label: "class" });
  const learned = rows.map((row, r) => (r % 3 === 0 ? { ...masked(row, 0.3, g), class: row.class } : row));
  const model = conformMixture(classifier, learned, { components, numeric: NAMES, rank: 2 });
  const full = createModel(classifier, {
    ...model,
    components: model.components.map((component) => {
      const { gaussian } = component;
      if (!gaussian || !model.gaussianColumns) throw new Error("the model has Gaussians");
      return {
        ...component,
        gaussian: createGaussian(model.gaussianColumns, gaussian.mean, gaussian.covariance),
      };
    }),
  });
  return { model, full, rows: makeRows(g, 12) };
}

/** All numbers of an answer. */
function numbersIn(answer: unknown): number[] {
  if (typeof answer === "number") return [answer];
  if (answer === null || typeof answer !== "object") return [];
  return Object.values(answer).flatMap(numbersIn);
}

describe.each([1, 2])("a fitted model with covariances of low rank, components: %d", (components) => {
  const { model, full, rows } = fitModels(components);
  const g = random(7);

  it("has its certificate, and the classifier's answer for complete rows", () => {
    expect(model.certificate).toMatchObject({ status: "converged", gaussian: { rank: 2 } });
    expect(model.certificate.conformityError).toBeLessThan(1e-9);
    expect(model.components.every(({ gaussian }) => gaussian?.lowRank)).toBe(true);
    const { intercept, weights } = model.predictor;
    for (const { class: _, ...row } of rows) {
      const logits = Array.from(intercept, (b, k) =>
        NAMES.reduce((sum, name, i) => sum + weights[3 * i + k] * Number(row[name]), b),
      );
      const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      const answer = predict(model, row);
      model.predictor.classes.forEach((name, k) => {
        expect(answer[name]).toBeCloseTo(Math.exp(logits[k]) / total, 13);
      });
    }
  });

  it("expects of a missing number what an integral over it comes to", () => {
    for (const { class: _, ...row } of rows.slice(0, 4)) {
      const name = NAMES[g.integer(8)];
      const [asked, sums] = [{ ...row, [name]: null }, new Map<string, number>()];
      let total = 0;
      for (let x = -14; x <= 14; x += 0.01) {
        const density = Math.exp(logEvidence(model, { ...row, [name]: x }));
        total += density;
        for (const [of, p] of Object.entries(predict(model, { ...row, [name]: x })))
          sums.set(of, (sums.get(of) ?? 0) + density * p);
      }
      for (const [of, p] of Object.entries(predict(model, asked)))
        expect(p).toBeCloseTo((sums.get(of) ?? 0) / total, 8);
      expect(Math.log(total * 0.01)).toBeCloseTo(logEvidence(model, asked), 8);
    }
  });

  it("answers every question as with its covariances in full", () => {
    for (const row of rows.slice(0, 5)) {
      const asked = masked(row, 0.5, g);
      const answers = (own: Model): unknown[] => [
        predict(own, asked),
        explain(own, asked),
        askNext(own, asked),
        howSure(own, asked),
        impute(own, asked),
        logEvidence(own, asked),
      ];
      const theirs = numbersIn(answers(full));
      const ours = numbersIn(answers(model));
      expect(ours).toHaveLength(theirs.length);
      ours.forEach((x, at) => {
        expect(Math.abs(x - theirs[at])).toBeLessThan(1e-8 * Math.max(1, Math.abs(x)));
      });
    }
  });

  it("is read back from its file, by this library and by one that shares no code with it", () => {
    const text = saveModel(model);
    const [again, reader] = [loadModel(text), new ModelFileReader(text)];
    expect(JSON.parse(text).version).toBe(6);
    for (const row of rows.slice(0, 5)) {
      const asked = masked(row, 0.5, g);
      expect(predict(again, asked)).toEqual(predict(model, asked));
      const theirs = reader.predict(asked);
      for (const [name, p] of Object.entries(predict(model, asked))) expect(p).toBeCloseTo(theirs[name], 11);
      expect(logEvidence(model, asked)).toBeCloseTo(reader.logEvidence(asked), 9);
    }
  });
});
