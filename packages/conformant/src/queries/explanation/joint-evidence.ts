import type { Factor } from "../../factors/factor.ts";
import type { Table } from "../../schema/data.ts";
import type { Feature } from "./features.ts";

/** What features say whose columns depend on each other: one term for the set, not one per feature. */
export interface JointEvidence {
  /** The features that have such columns; there may be none. */
  readonly features: ReadonlySet<number>;
  /** log P_m(y_S | k) of such columns in the listed features, M × K, up to what all (m, k) share; others are passed over. */
  readonly terms: (features: readonly number[]) => Float64Array;
  /** The size of the numbers whose differences the terms are. */
  readonly scale: number;
}

/** Nothing that is said jointly. */
export const NOTHING_JOINT: JointEvidence = {
  features: new Set(),
  terms: () => new Float64Array(0),
  scale: 0,
};

/** The evidence of factors with dependent columns in row `r` of a table. */
export function jointEvidence(
  factors: readonly Factor[],
  table: Table,
  r: number,
  features: readonly Feature[],
): JointEvidence {
  if (factors.length === 0) return NOTHING_JOINT;
  const columns = new Set(factors.flatMap((factor) => factor.columns));
  const own = new Set(features.flatMap(({ columns: of }, f) => (of.some((i) => columns.has(i)) ? [f] : [])));
  if (own.size === 0) return NOTHING_JOINT;
  const parts = factors.map((factor) => factor.evidence(table, r));
  const evidenceOf = (chosen: readonly number[]): { terms: Float64Array; scale: number } => {
    const [first, ...others] = parts.map((part) => part(chosen.flatMap((f) => features[f].columns)));
    return {
      terms: others.reduce((sum, { terms }) => sum.map((x, a) => x + terms[a]), first.terms),
      scale: others.reduce((sum, { scale }) => sum + scale, first.scale),
    };
  };
  const known = new Map<string, Float64Array>();
  const terms = (chosen: readonly number[]): Float64Array => {
    const given = chosen.filter((f) => own.has(f)).sort((a, b) => a - b);
    const key = given.join();
    const made = known.get(key) ?? evidenceOf(given).terms;
    known.set(key, made);
    return made;
  };
  return { features: own, terms, scale: evidenceOf([...own]).scale };
}
