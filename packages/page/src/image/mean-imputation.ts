import { impute, type Model, type Row } from "conformant";
import { slotOffsets } from "conformant/remote";

/**
 * What the classifier answers if every gap is filled with the mean of its column: the common practice to compare with.
 * The means are those of the model's own column distributions, which are the training data's. 0/1 and numeric columns.
 */
export function meanImputation(model: Model): (row: Row) => Record<string, number> {
  const { schema, tilt, response } = model;
  const { weights, intercept } = tilt;
  const { outputs: classes } = response;
  const slots = slotOffsets(schema);
  const K = classes.length;
  const marginals = impute(model, {});
  const means = schema.columns.map(({ name }) => {
    const marginal = marginals[name];
    return marginal.kind === "numeric" ? marginal.mean : (marginal.probabilities["1"] ?? 0);
  });
  return (row) => {
    const scores = Float64Array.from(intercept);
    schema.columns.forEach(({ name }, i) => {
      const x = Object.hasOwn(row, name) ? Number(row[name]) : means[i];
      for (let k = 0; k < K; k++) scores[k] += x * weights[slots[i] * K + k];
    });
    const most = Math.max(...scores);
    const terms = scores.map((score) => Math.exp(score - most));
    const total = terms.reduce((sum, term) => sum + term, 0);
    return Object.fromEntries(classes.map((name, k) => [name, terms[k] / total]));
  };
}
