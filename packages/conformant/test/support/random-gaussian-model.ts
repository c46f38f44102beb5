import { createAtoms, LONE_ATOM } from "../../src/distribution/atoms.ts";
import { GIVEN } from "../../src/distribution/certificate.ts";
import { createComponent } from "../../src/distribution/distribution.ts";
import { createGaussian, createGaussianColumns } from "../../src/gaussian/gaussian.ts";

import { type Classifier, createClassifier, createModel, type Model, type Row } from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";

/** Columns of a random model with a Gaussian: so many numbers, one of three categories, one bit. */
export interface BlockModelOptions {
  readonly seed: number;
  readonly numbers: number;
  readonly classes: number;
  readonly components: number;
}

/** A mixture with random Gaussian factors over its numbers and random atoms elsewhere. */
export function randomGaussianModel({
  seed,
  numbers,
  classes,
  components,
}: BlockModelOptions): Model<Classifier> {
  const g = random(seed);
  const classifier = randomClassifier(numbers, classes, g);
  const columns = Array.from({ length: numbers }, (_, i) => i + 1);
  const gaussianColumns = createGaussianColumns(classifier, columns);
  if (!gaussianColumns) throw new Error("a Gaussian model has numbers");
  const atoms = createAtoms(classifier, [{ count: 3 }, ...columns.map(() => LONE_ATOM), { count: 2 }]);
  const weights = Array.from({ length: components }, () => 0.2 + g.uniform());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) =>
    createComponent(classifier, atoms, {
      logWeight: Math.log(weight / total),
      logQ: Float64Array.from({ length: 5 + numbers }, () => g.normal()),
      gaussian: createGaussian(
        gaussianColumns,
        Float64Array.from(columns, () => 1.5 * g.normal()),
        randomCovariance(numbers, g),
      ),
    }),
  );
  return createModel(classifier, {
    ...{ schema: classifier.schema, tilt: classifier, atoms, gaussianColumns, components: parts },
    ...{ rows: 0, pseudocount: 0, certificate: GIVEN },
  });
}

/** A category, the numbers x1, x2, …, and a bit. */
function randomClassifier(numbers: number, classes: number, g: Random): Classifier {
  const slots = 3 + numbers + 1;
  const weight = (k: number): number => (classes === 2 && k === 0 ? 0 : g.normal());
  return createClassifier({
    schema: {
      columns: [
        { name: "colour", kind: "categorical", values: ["blue", "green", "red"] },
        ...Array.from({ length: numbers }, (_, i) => ({ name: `x${i + 1}`, kind: "numeric" as const })),
        { name: "bit", kind: "binary" },
      ],
    },
    classes: Array.from({ length: classes }, (_, k) => `class ${k}`),
    intercept: Float64Array.from({ length: classes }, (_, k) => weight(k)),
    weights: Float64Array.from({ length: slots * classes }, (_, j) => weight(j % classes)),
  });
}

/** A Aᵀ + ½ I. */
export function randomCovariance(n: number, g: Random): Float64Array {
  const a = Float64Array.from({ length: n * n }, () => 0.7 * g.normal());
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let c = 0; c < n; c++) out[i * n + j] += a[i * n + c] * a[j * n + c];
    }
    out[i * n + i] += 0.5;
  }
  return out;
}

/** A random complete row. */
export function randomGaussianRow(numbers: number, g: Random): Row {
  return Object.fromEntries([
    ["colour", ["blue", "green", "red"][g.integer(3)]],
    ...Array.from({ length: numbers }, (_, i) => [`x${i + 1}`, 2 * g.normal()]),
    ["bit", g.integer(2)],
  ]);
}
