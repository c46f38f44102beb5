import type { Explanation, Model, Row } from "conformant";
import { isLinear, valueLabels } from "conformant/internal";
import { slotOffsets } from "conformant/remote";

/**
 * The support columns of an explanation by decreasing absolute weight: the baseline that the paper compares sufficient
 * explanations with. A weight tells how the prediction moves if the value changes, not if the value is unknown.
 *
 * The weight is that of the predicted class minus the mean of the others' (with two classes the weight of the logistic
 * regression, up to its sign); for a categorical column the weight of the value in the row.
 */
export function supportByWeight(
  { tilt, response }: Pick<Model, "tilt" | "response">,
  row: Row,
  { prediction, support }: Pick<Explanation, "prediction" | "support">,
): string[] {
  const { schema, weights } = tilt;
  const classes = response.outputs;
  const slots = slotOffsets(schema);
  const [K, c] = [classes.length, classes.indexOf(prediction)];
  const size = (i: number): number => {
    const column = schema.columns[i];
    if (column.kind === "binned") throw new RangeError("weights of binned columns are not compared");
    const value = isLinear(column) ? 0 : valueLabels(column).indexOf(String(row[column.name]));
    const own = weights.subarray((slots[i] + value) * K, (slots[i] + value + 1) * K);
    const others = own.reduce((sum, weight) => sum + weight, -own[c]) / (K - 1);
    return Math.abs(own[c] - others);
  };
  const chosen = new Set(support);
  return schema.columns
    .flatMap(({ name }, i) => (chosen.has(name) ? [{ name, size: size(i) }] : []))
    .sort((a, b) => b.size - a.size) // stable: equal weights in the order of the schema
    .map(({ name }) => name);
}
