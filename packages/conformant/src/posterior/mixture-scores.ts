import { addScores } from "../classifier/add-scores.ts";
import { blockCells } from "../gaussian/block.ts";
import { BlockScorer } from "../gaussian/block-scorer.ts";
import type { GaussianFactor } from "../gaussian/gaussian-factor.ts";
import { LOG_IMPOSSIBLE } from "../math/log-impossible.ts";
import { Scratch } from "../math/scratch.ts";
import { type Atoms, atomCode } from "../model/atoms.ts";
import type { Model } from "../model/model.ts";
import { type StateColumn, StateTables } from "../packing/state-tables.ts";
import { slotOffsets } from "../schema/column.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";

/** What a mixture adds to a row's scores, laid out for passes over many rows. */
interface MixtureTables {
  /** The columns with atoms: those outside the block, if there is one. */
  readonly columns: readonly number[];
  /** Adds log q_m of the known atoms to M scores; the last state of a column is the gap, which adds nothing. */
  readonly atoms: StateTables;
  /** Adds log Z_mki of the gaps to M·K scores; state 1 of a column is the gap. */
  readonly gaps: StateTables;
  /** log π_m − log Z_m. */
  readonly constants: Float64Array;
  /** Of the block, where the model has one. */
  readonly block?: BlockScorer;
  /** For the scores of components, and for the cells of the block. */
  readonly work: Scratch;
  readonly cells: Scratch;
}

/** Combinations in a group of columns: the tables of a panel then stay in the second-level cache for hundreds of columns. */
const [ATOM_CODES, GAP_CODES] = [81, 16];

const tablesOf = new WeakMap<Model, MixtureTables>();

/** The tables of a model, made once. */
function mixtureTables(model: Model): MixtureTables {
  const known = tablesOf.get(model);
  if (known) return known;
  const { components, atoms } = model;
  const [M, K] = [components.length, model.classifier.classes.length];
  const columns = atoms.columns.map((_, i) => i).filter((i) => !model.block?.columns.includes(i));
  const knownOf = (i: number): StateColumn => ({
    states: atoms.columns[i].count + 1,
    weight: (state, m) =>
      state === atoms.columns[i].count
        ? 0
        : Math.max(components[m].logQ[atoms.offsets[i] + state], LOG_IMPOSSIBLE),
  });
  const gapOf = (i: number): StateColumn => ({
    states: 2,
    weight: (state, mk) => (state === 0 ? 0 : components[Math.floor(mk / K)].logZ[i * K + (mk % K)]),
  });
  const tables: MixtureTables = {
    columns,
    atoms: new StateTables(columns.map(knownOf), M, ATOM_CODES),
    gaps: new StateTables(columns.map(gapOf), M * K, GAP_CODES),
    constants: Float64Array.from(components, ({ logWeight, logNormaliser }) => logWeight - logNormaliser),
    work: new Scratch(),
    cells: new Scratch(),
    ...(model.block && { block: new BlockScorer(model.block, factorsOf(model)) }),
  };
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
 * The class scores of the known columns are common to all components and added once. A block adds log N_m(y_o) and what its
 * hidden columns are worth to class k; such scores are given up to a constant per row, so that no density, however small,
 * drowns the class scores.
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
  const componentScores = tables.work.take(rows * M);
  for (let at = 0; at < classScores.length; at++) classScores[at] = intercept[at % K];
  for (let r = 0; r < rows; r++) componentScores.set(tables.constants, r * M);
  out.fill(0, 0, rows * M * K);
  const none = new Float64Array(K);
  const slots = slotOffsets(schema);
  schema.columns.forEach((column, i) => {
    addScores(classScores, K, column, table.columns[i], start, end, weights, slots[i], none, 0);
  });
  if (tables.columns.length > 0) addAtoms(model.atoms, tables, table, start, rows, componentScores, out);
  if (tables.block) addBlock(tables.block, table, start, rows, tables.cells, componentScores, out);
  for (let r = 0; r < rows; r++) {
    const most = tables.block ? largest(componentScores, r * M, (r + 1) * M) : 0;
    for (let m = r * M, to = m * K; m < (r + 1) * M; m++) {
      const score = componentScores[m] - most;
      for (let k = 0; k < K; k++) out[to++] += score + classScores[r * K + k];
    }
  }
}

function largest(values: Float64Array, start: number, end: number): number {
  let most = values[start];
  for (let at = start + 1; at < end; at++) if (values[at] > most) most = values[at];
  return most;
}

/** Adds log q_m of the known atoms and log Z_mki of the gaps. */
function addAtoms(
  atoms: Atoms,
  tables: MixtureTables,
  table: Table,
  start: number,
  rows: number,
  componentScores: Float64Array,
  out: Float64Array,
): void {
  const { columns } = tables;
  const states = new Int32Array(columns.length * rows);
  const gaps = new Int32Array(columns.length * rows);
  columns.forEach((i, at) => {
    const own = at * rows;
    readStates(atoms, i, table.columns[i], start, states.subarray(own, own + rows), gaps.subarray(own));
  });
  tables.atoms.add(states, rows, componentScores);
  tables.gaps.add(gaps, rows, out);
}

/** The atom of each cell, counted within its column with the gap last, and whether it is a gap. */
function readStates(
  atoms: Atoms,
  i: number,
  cells: EncodedColumn,
  start: number,
  states: Int32Array,
  gaps: Int32Array,
): void {
  for (let r = 0; r < states.length; r++) {
    const code = atomCode(atoms, i, cells, start + r);
    states[r] = code < 0 ? atoms.columns[i].count : code;
    gaps[r] = code < 0 ? 1 : 0;
  }
}

/** Adds the block's scores. */
function addBlock(
  scorer: BlockScorer,
  table: Table,
  start: number,
  rows: number,
  work: Scratch,
  componentScores: Float64Array,
  out: Float64Array,
): void {
  const range = new Int32Array(rows);
  for (let r = 0; r < rows; r++) range[r] = start + r;
  const cells = work.take(rows * scorer.block.columns.length);
  scorer.score(blockCells(scorer.block, table, range, cells), rows, componentScores, out);
}
