import {
  conform,
  conformMixture,
  createClassifier,
  createModel,
  predict,
  train,
  trainTrees,
} from "conformant";
import { expect, it } from "vitest";
import { expectError } from "../support/error.ts";

const rows = Array.from({ length: 40 }, (_, r) => ({
  a: r % 2,
  b: "xyz"[r % 3],
  y: r % 4 < 2 ? "yes" : "no",
}));
const classifier = train(rows, { label: "y" });
const trees = trainTrees(rows, { label: "y", maxIterations: 3, leastRows: 1 });

it("joins a predictor with the distribution that another model of it has", () => {
  const additive = conform(classifier, rows);
  expect(predict(createModel(classifier, additive), { a: 1 })).toEqual(predict(additive, { a: 1 }));
  const mixture = conformMixture(trees, rows, { components: 2 });
  expect(predict(createModel(trees, mixture), { a: 1 })).toEqual(predict(mixture, { a: 1 }));
});

it("refuses a distribution that carries the scores of another classifier", () => {
  const model = conform(classifier, rows);
  const other = createClassifier({ ...classifier, intercept: classifier.intercept.map((b) => b + 1) });
  expectError(() => createModel(other, model), "invalid-argument", /distribution\.tilt\.intercept must be/);
  expectError(() => createModel(trees, model), "invalid-argument", /distribution\.tilt\.\w+ must be/);
  expectError(() => createModel(classifier, {} as never), "invalid-argument", /distribution must be/);
});
