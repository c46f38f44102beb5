import { blockCells } from "../gaussian/block.ts";
import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { blockScorerOf } from "./mixture-scores.ts";

/** What the known cells of a block say: log P_m(y_o | k) = density_m + terms_mk. */
export interface BlockTerms {
  /** log N(y_o; μ_m, Σ_m), M numbers. */
  readonly density: Float64Array;
  /** w_k,o·y_o + w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h − log Z_mk, M × K. */
  readonly terms: Float64Array;
}

/** The terms of one row of a table, or undefined where the model has no block. */
export function blockTermsOf(model: Model, table: Table, row: number): BlockTerms | undefined {
  return model.block && blockTerms(model, blockCells(model.block, table, [row]));
}

/** The terms of some cells of the block, NaN where nothing is known. */
export function blockTerms(model: Model, cells: Float64Array): BlockTerms {
  const { block, components } = model;
  const [M, K, n] = [components.length, model.classifier.classes.length, cells.length];
  const density = new Float64Array(M);
  const terms = new Float64Array(M * K);
  blockScorerOf(model)?.score(cells, 1, density, terms);
  for (let k = 0; k < K; k++) {
    let own = 0;
    for (let i = 0; i < n; i++) {
      if (block && !Number.isNaN(cells[i])) own += block.weights[k * n + i] * cells[i];
    }
    for (let m = 0; m < M; m++) terms[m * K + k] += own - (components[m].gaussian?.logZ[k] ?? 0);
  }
  return { density, terms };
}
