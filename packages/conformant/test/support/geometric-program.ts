import { naiveBayesOf } from "../../../../paper/claims/lemma-2.ts";
import { type Classifier, type Columns, conform, createClassifier, type Marginals } from "../../src/index.ts";
import type { GeometricProgram, GeometricSolution } from "../oracles/geometric-program.ts";
import { binaryMarginals } from "./binary.ts";

/** The classifier of a geometric program, and the marginals of its data. */
export function asConformProblem(gp: GeometricProgram): { classifier: Classifier; marginals: Marginals } {
  const [K, n] = [gp.weights.length, gp.weights[0].length - 1];
  const classifier = createClassifier({
    schema: { columns: Array.from({ length: n }, (_, i) => ({ name: `x${i}`, kind: "binary" })) },
    classes: gp.weights.map((_, k) => `c${k}`),
    intercept: Float64Array.from(gp.weights, ([b]) => b),
    weights: Float64Array.from({ length: n * K }, (_, j) => gp.weights[j % K][1 + Math.floor(j / K)]),
  });
  const rows = gp.classCounts.reduce((sum, count) => sum + count, 0);
  const ones = Array.from({ length: n }, (_, i) => gp.onesPerClass.reduce((sum, row) => sum + row[i], 0));
  return { classifier, marginals: binaryMarginals(classifier, ones, rows) };
}

/** The geometric program of a classifier on 0/1 columns and labelled rows. */
export function asGeometricProgram(
  { classes, intercept, weights }: Classifier,
  data: Columns,
  labels: string[],
  pseudocount: number,
): GeometricProgram {
  const K = classes.length;
  const columns = Object.values(data).filter((column) => column instanceof Int8Array);
  const sum = (values: ArrayLike<number>, k: number): number =>
    labels.reduce((total, label, r) => total + (label === classes[k] ? values[r] : 0), 0);
  return {
    weights: classes.map((_, k) => [intercept[k], ...columns.map((_, i) => weights[i * K + k])]),
    classCounts: classes.map((name) => labels.filter((label) => label === name).length),
    onesPerClass: classes.map((_, k) => columns.map((column) => sum(column, k))),
    pseudocount,
  };
}

/** Largest difference between our parameters and the solver's. */
export function parameterDifference(gp: GeometricProgram, solution: GeometricSolution): number {
  const { classifier, marginals } = asConformProblem(gp);
  const model = conform(classifier, marginals, { pseudocount: gp.pseudocount });
  if (model.certificate.status !== "converged") throw new Error(`the fit is ${model.certificate.status}`);
  const { logPrior, logConditional } = naiveBayesOf(model);
  const K = classifier.classes.length;
  const differences = solution.prior.flatMap((p, k) => [
    p - Math.exp(logPrior[k]),
    ...solution.one[k].map((theta, i) => theta - Math.exp(logConditional[(2 * i + 1) * K + k])),
    ...solution.zero[k].map((theta, i) => theta - Math.exp(logConditional[2 * i * K + k])),
  ]);
  return Math.max(...differences.map(Math.abs));
}
