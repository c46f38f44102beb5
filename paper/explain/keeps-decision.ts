import { type Explanation, type Model, predict, type Row } from "conformant";

/**
 * Whether the prediction of an explained row stays the same when, of its features, only the given ones and the opposing ones are
 * known: Definition 6 of the paper, sgn(E − ½) = sgn(F − ½), for rows without a tie.
 */
export function keepsDecision(
  model: Model,
  row: Row,
  { prediction, opposing }: Pick<Explanation, "prediction" | "opposing">,
  columns: readonly string[],
): boolean {
  const known = [...columns, ...opposing].map((name) => [name, row[name]]);
  const probabilities = predict(model, Object.fromEntries(known));
  return model.response.outputs.every(
    (name) => name === prediction || probabilities[name] < probabilities[prediction],
  );
}
