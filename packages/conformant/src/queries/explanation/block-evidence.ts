import { blockCells } from "../../gaussian/block.ts";
import type { Model } from "../../model/model.ts";
import { blockTerms } from "../../posterior/block-terms.ts";
import type { Table } from "../../schema/data.ts";
import type { Feature } from "./features.ts";

/** What features with columns in a Gaussian block say: one term for the set, not one per feature. */
export interface BlockEvidence {
  /** Positions of the block's columns in the schema. */
  readonly columns: ReadonlySet<number>;
  /** The features that have such columns. */
  readonly features: ReadonlySet<number>;
  /** log P_m(y_S | k) of the block's columns in the listed features, M × K, up to what all (m, k) share; others are passed over. */
  readonly terms: (features: readonly number[]) => Float64Array;
  /** The size of the numbers whose differences the terms are. */
  readonly scale: number;
}

/** The block's evidence in row `r` of a table; undefined where the model has no block or none of it is known. */
export function blockEvidence(
  model: Model,
  table: Table,
  r: number,
  features: readonly Feature[],
): BlockEvidence | undefined {
  const { block } = model;
  if (!block) return undefined;
  const columns = new Set(block.columns);
  const own = new Set(features.flatMap(({ columns: of }, f) => (of.some((i) => columns.has(i)) ? [f] : [])));
  if (own.size === 0) return undefined;
  const cells = blockCells(block, table, [r]);
  const place = new Map(Array.from(block.columns, (column, i) => [column, i]));
  const known = new Map<string, Float64Array>();
  const terms = (chosen: readonly number[]): Float64Array => {
    const given = chosen.filter((f) => own.has(f)).sort((a, b) => a - b);
    const key = given.join();
    const before = known.get(key);
    if (before) return before;
    const seen = new Float64Array(cells.length).fill(Number.NaN);
    for (const f of given)
      for (const i of features[f].columns) {
        const at = place.get(i);
        if (at !== undefined) seen[at] = cells[at];
      }
    const made = relativeTerms(model, seen);
    known.set(key, made);
    return made;
  };
  const scale = terms([...own]).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { columns, features: own, terms, scale };
}

/** Density and terms in one, less the largest density: with one component only the classes' terms remain. */
function relativeTerms(model: Model, cells: Float64Array): Float64Array {
  const { density, terms } = blockTerms(model, cells);
  const K = terms.length / density.length;
  const largest = density.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  return terms.map((x, a) => x + density[Math.floor(a / K)] - largest);
}
