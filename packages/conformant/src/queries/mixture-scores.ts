import { addScores } from "../classifier/add-scores.ts";
import { blockCells } from "../gaussian/block.ts";
import { BlockScorer } from "../gaussian/block-scorer.ts";
import type { GaussianFactor } from "../gaussian/gaussian-factor.ts";
import type { Model } from "../model/model.ts";
import { slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { atomOf } from "./component-scores.ts";

/** What a mixture adds to a row's scores, laid out for passes over many rows. */
interface MixtureTables {
  /** log q_m(atom): atoms × M. */
  readonly atoms: Float64Array;
  /** log Z_mki: columns × (M·K), components first. */
  readonly gaps: Float64Array;
  /** log π_m − log Z_m. */
  readonly constants: Float64Array;
  /** Of the block, where the model has one. */
  readonly block?: BlockScorer;
}

/** Stands for log 0: it decides between components, yet where no component can explain a row, sums of it stay numbers. */
const LOG_IMPOSSIBLE = -1e4;

const tablesOf = new WeakMap<Model, MixtureTables>();

/** The tables of a model, made once. */
function mixtureTables(model: Model): MixtureTables {
  const known = tablesOf.get(model);
  if (known) return known;
  const { components, atoms } = model;
  const [M, K] = [components.length, model.classifier.classes.length];
  const n = atoms.columns.length;
  const tables: MixtureTables = {
    atoms: new Float64Array(atoms.offsets[n] * M),
    gaps: new Float64Array(n * M * K),
    constants: Float64Array.from(components, ({ logWeight, logNormaliser }) => logWeight - logNormaliser),
    ...(model.block && { block: new BlockScorer(model.block, factorsOf(model)) }),
  };
  components.forEach(({ logQ, logZ }, m) => {
    for (let j = 0; j < logQ.length; j++) tables.atoms[j * M + m] = Math.max(logQ[j], LOG_IMPOSSIBLE);
    for (let i = 0; i < n; i++)
      for (let k = 0; k < K; k++) tables.gaps[(i * M + m) * K + k] = logZ[i * K + k];
  });
  tablesOf.set(model, tables);
  return tables;
}

/** What scores the block of a model, made once; undefined where it has none. */
export function blockScorerOf(model: Model): BlockScorer | undefined {
  return mixtureTables(model).block;
}

/** The Gaussian factors of a model with a block, one per component. */
export function factorsOf({ components }: Model): GaussianFactor[] {
  return components.flatMap(({ gaussian }) => (gaussian ? [gaussian] : []));
}

/**
 * log P(m, k, y) for rows `start` to `end`, components first:
 *
 *     log π_m − log Z_m + b_k + Σ_{i known} ( s_ki(y_i) + log q_mi(y_i) ) + Σ_{i missing} log Z_mki
 *
 * The class scores of the known columns are common to all components and added once; a known column costs M + K additions
 * and a missing one M·K. A block adds log N_m(y_o) and what its hidden columns are worth to class k; such scores are given up
 * to a constant per row, so that no density, however small, drowns the class scores.
 *
 * @param out (end − start) × (M·K), overwritten
 */
export function mixtureScores(
  model: Model,
  table: Table,
  start: number,
  end: number,
  out: Float64Array,
): void {
  const { schema, intercept, weights } = model.classifier;
  const tables = mixtureTables(model);
  const [M, K] = [model.components.length, intercept.length];
  const rows = end - start;
  const classScores = new Float64Array(rows * K);
  const componentScores = new Float64Array(rows * M);
  for (let at = 0; at < classScores.length; at++) classScores[at] = intercept[at % K];
  for (let r = 0; r < rows; r++) componentScores.set(tables.constants, r * M);
  out.fill(0, 0, rows * M * K);
  const none = new Float64Array(K);
  const slots = slotOffsets(schema);
  schema.columns.forEach((column, i) => {
    const cells = table.columns[i];
    addScores(classScores, K, column, cells, start, end, weights, slots[i], none, 0);
    if (model.block?.columns.includes(i)) return;
    for (let r = 0; r < rows; r++) {
      const atom = atomOf(model.atoms, i, cells, start + r);
      if (atom >= 0) addRow(componentScores, r * M, tables.atoms, atom * M, M);
      else addRow(out, r * M * K, tables.gaps, i * M * K, M * K);
    }
  });
  if (tables.block) addBlock(tables.block, table, start, rows, M, componentScores, out);
  for (let r = 0, at = 0; r < rows; r++) {
    for (let m = 0; m < M; m++)
      for (let k = 0; k < K; k++) out[at++] += componentScores[r * M + m] + classScores[r * K + k];
  }
}

/** Adds the block's scores, then takes the largest of each row's component scores from all of them. */
function addBlock(
  scorer: BlockScorer,
  table: Table,
  start: number,
  rows: number,
  M: number,
  componentScores: Float64Array,
  out: Float64Array,
): void {
  const cells = blockCells(
    scorer.block,
    table,
    Int32Array.from({ length: rows }, (_, r) => start + r),
  );
  scorer.score(cells, rows, componentScores, out);
  for (let r = 0; r < rows; r++) {
    let largest = componentScores[r * M];
    for (let m = 1; m < M; m++) largest = Math.max(largest, componentScores[r * M + m]);
    for (let m = 0; m < M; m++) componentScores[r * M + m] -= largest;
  }
}

function addRow(out: Float64Array, at: number, table: Float64Array, from: number, length: number): void {
  for (let j = 0; j < length; j++) out[at + j] += table[from + j];
}
