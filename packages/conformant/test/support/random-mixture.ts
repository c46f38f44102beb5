import { createAtoms } from "../../src/distribution/atoms.ts";
import { GIVEN } from "../../src/distribution/certificate.ts";
import { createComponent } from "../../src/distribution/distribution.ts";
import { type Classifier, createClassifier, createModel, type Model, type Row } from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";
import { type RandomModelOptions, randomClassifier } from "./random-model.ts";

/** A mixture of components with random q, all conforming with one random classifier. */
export function randomMixture(
  options: RandomModelOptions & { readonly components: number; readonly spread?: number },
): Model<Classifier> {
  const g = random(options.seed);
  const classifier = randomClassifier(options, g);
  const atoms = createAtoms(
    classifier,
    classifier.schema.columns.map((column) => {
      if (column.kind === "binary") return { count: 2 };
      if (column.kind === "categorical") return { count: column.values.length };
      if (column.kind === "binned") return { count: column.edges.length + 1 };
      return { count: 3, values: Float64Array.of(-1, 0.2, 1.3), edges: Float64Array.of(-0.4, 0.7) };
    }),
  );
  const weights = Array.from({ length: options.components }, () => 0.2 + g.uniform());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const components = weights.map((weight) =>
    createComponent(classifier, atoms, {
      logWeight: Math.log(weight / total),
      logQ: Float64Array.from(
        { length: atoms.offsets[atoms.columns.length] },
        () => (options.spread ?? 1) * g.normal(),
      ),
    }),
  );
  return createModel(classifier, {
    ...{ schema: classifier.schema, tilt: classifier, atoms, components },
    ...{ rows: 0, pseudocount: 0, certificate: GIVEN },
  });
}

/** A mixture of 60 bits and four classes: a smallest explanation of one of its rows takes long to prove. */
export function hardMixture(): Model<Classifier> {
  return randomMixture({ seed: 1, columns: 60, classes: 4, components: 4, scale: 0.3, kinds: ["binary"] });
}

/**
 * A model whose contributions tie all the time: weights −1, 0 and 1, q uniform, and no class ahead before anything is
 * known. A 0/1 column with weight 1 and value 1 then contributes exactly what one with weight −1 and value 0 does.
 */
export function tiedModel(seed: number, columns: number, classes: number): Model<Classifier> {
  const g = random(seed);
  const names = Array.from({ length: columns }, (_, i) => `x${i}`);
  const weight = (k: number): number => (classes === 2 && k === 0 ? 0 : g.integer(3) - 1);
  const weights = Float64Array.from({ length: columns * classes }, (_, j) => weight(j % classes));
  const intercept = Float64Array.from({ length: classes }, (_, k) =>
    names.reduce((sum, _, i) => sum - Math.log((1 + Math.exp(weights[i * classes + k])) / 2), 0),
  );
  const classifier = createClassifier({
    schema: { columns: names.map((name) => ({ name, kind: "binary" as const })) },
    classes: Array.from({ length: classes }, (_, k) => `class ${k}`),
    intercept,
    weights,
  });
  const atoms = createAtoms(
    classifier,
    names.map(() => ({ count: 2 })),
  );
  const logQ = new Float64Array(2 * columns).fill(Math.log(0.5));
  const components = [createComponent(classifier, atoms, { logWeight: 0, logQ })];
  return createModel(classifier, {
    ...{ schema: classifier.schema, tilt: classifier, atoms, components },
    ...{ rows: 0, pseudocount: 0, certificate: GIVEN },
  });
}

/** Some columns of a row, each kept with the given chance. */
export function someOf(row: Row, g: Random, chance: number): Row {
  return Object.fromEntries(Object.entries(row).filter(() => g.uniform() < chance));
}
