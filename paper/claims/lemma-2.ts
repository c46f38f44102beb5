import { type Classifier, ConformantError, type Model, type Schema } from "conformant";
import {
  createAtoms,
  createComponent,
  isDiscrete,
  logAtomGivenClass,
  valueLabels,
} from "conformant/internal";
import { type NaiveBayes, valueOffsets } from "conformant-workbench/baselines";

/**
 * Lemma 2 of the paper: the one naive Bayes distribution that conforms with the classifier and has P(v | c) = θ_v for the
 * last class c.
 *
 * @param theta per column P(x = 1 | c) for 0/1 columns, or the list of P(v | c) for the others
 */
export function naiveBayesFromLogistic(
  classifier: Classifier,
  theta: readonly (number | readonly number[])[],
): NaiveBayes {
  const { schema, classes } = classifier;
  const K = classes.length;
  const start = valueOffsets(schema);
  const atoms = createAtoms(
    classifier,
    schema.columns.map((_, i) => ({ count: start[i + 1] - start[i] })),
  );
  // P(v | c) ∝ q(v) e^{s_c(v)}, so q = θ e^{−s_c} up to a constant.
  const logTheta = checkTheta(schema, theta);
  const logQ = logTheta.map((t, v) => t - atoms.scores[v * K + K - 1]);
  return naiveBayesOf({
    predictor: classifier,
    atoms,
    components: [createComponent(classifier, atoms, { logWeight: 0, logQ })],
  });
}

/** The naive Bayes parameters of a model with one component and discrete columns. */
export function naiveBayesOf(
  model: Pick<Model<Classifier>, "predictor" | "atoms" | "components">,
): NaiveBayes {
  const { predictor, atoms, components } = model;
  if (components.length !== 1) {
    const message = `a mixture of ${components.length} components is not one naive Bayes distribution`;
    throw new ConformantError("invalid-argument", message, { argument: "model", value: components.length });
  }
  const { schema, classes, label } = predictor;
  const K = classes.length;
  const start = valueOffsets(schema);
  const [component] = components;
  const logConditional = new Float64Array(atoms.scores.length);
  for (let i = 0; i < schema.columns.length; i++) {
    for (let v = start[i]; v < start[i + 1]; v++) {
      for (let k = 0; k < K; k++) logConditional[v * K + k] = logAtomGivenClass(atoms, component, i, v, k);
    }
  }
  return {
    schema,
    classes,
    ...(label !== undefined && { label }),
    logPrior: component.logPrior,
    logConditional,
  };
}

/** How far probabilities may sum from 1 before it is a mistake and not rounding. */
const ROUNDING = 1e-9;

function checkTheta(schema: Schema, theta: readonly (number | readonly number[])[]): Float64Array {
  if (theta?.length !== schema.columns.length) {
    const message = `theta must have one entry for each of the ${schema.columns.length} columns, got ${JSON.stringify(theta)}`;
    throw new ConformantError("invalid-argument", message, { argument: "theta", value: theta });
  }
  const logs = schema.columns.flatMap((column, i) => {
    const entry = theta[i];
    const given = typeof entry === "number" ? [1 - entry, entry] : [...entry];
    const need = isDiscrete(column) ? valueLabels(column).length : 0;
    const sum = given.reduce((total, p) => total + p, 0);
    if (given.length !== need || given.some((p) => !(p > 0 && p < 1)) || Math.abs(sum - 1) > ROUNDING) {
      const message = `theta for column ${JSON.stringify(column.name)} must be ${need} probabilities between 0 and 1 that sum to 1`;
      throw new ConformantError("invalid-argument", `${message}, got ${given.join(", ")}`, {
        argument: "theta",
        column: column.name,
      });
    }
    return given.map(Math.log);
  });
  return Float64Array.from(logs);
}
