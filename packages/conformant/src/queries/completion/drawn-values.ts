import type { Value } from "../../schema/data.ts";
import { atomValue } from "./atom-value.ts";
import type { CompletionSpace } from "./completion-space.ts";

/** The values of a completion by position of the column. */
export function drawnValues(
  { model, missing, normals }: CompletionSpace,
  atoms: Int32Array,
  numbers: Float64Array,
): Map<number, Value> {
  const drawn = new Map(missing.map(({ index }, j) => [index, atomValue(model, index, atoms[j])]));
  normals.columns.forEach((index, a) => {
    drawn.set(index, numbers[a]);
  });
  return drawn;
}
