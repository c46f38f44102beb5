import { memoize } from "../cache.ts";
import { type Schema, slotOffsets } from "./column.ts";

/**
 * Class scores that add up over columns, s_k(x) = b_k + Σ_i s_ki(x_i), with s_ki(x) = w_ki·x for a numeric or binary column and
 * s_ki(v) = w_kiv for value v of a categorical or binned one. A distribution that conforms with an additive classifier
 * carries its scores; the distribution of any other predictor carries zeros.
 */
export interface ClassTilt {
  readonly schema: Schema;
  /** b, one per class: K numbers. */
  readonly intercept: Float64Array;
  /** slots × K, `weights[slot * K + k]`; the slots of column i start at `slotOffsets(schema)[i]`. */
  readonly weights: Float64Array;
}

const weighted = new WeakMap<ClassTilt, readonly number[]>();

/** Positions of the columns with a weight other than 0, ascending. */
export function weightedColumns(tilt: ClassTilt): readonly number[] {
  return memoize(weighted, tilt, findWeighted);
}

function findWeighted({ schema, intercept, weights }: ClassTilt): readonly number[] {
  const [slots, K] = [slotOffsets(schema), intercept.length];
  return schema.columns.flatMap((_, i) =>
    weights.subarray(slots[i] * K, slots[i + 1] * K).some((weight) => weight !== 0) ? [i] : [],
  );
}

/** Zeros for K classes: no dependence on the class. */
export function flatTilt(schema: Schema, K: number): ClassTilt {
  const slots = slotOffsets(schema)[schema.columns.length];
  return { schema, intercept: new Float64Array(K), weights: new Float64Array(slots * K) };
}
