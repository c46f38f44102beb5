import { memoize } from "../cache.ts";
import { ConformantError, show } from "../errors.ts";
import type { ScoringContext } from "../gaussian/patterns.ts";
import { GaussianScores } from "../gaussian/score-rows.ts";
import { type Context, plainContext } from "../kernels/context.ts";
import { type StateColumn, StateTables } from "../kernels/state-tables.ts";
import { LOG_IMPOSSIBLE, softmaxInPlace } from "../math/softmax.ts";
import { Scratch } from "../math/vectors.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";
import { cellsOfRow } from "../schema/read-row.ts";
import { type Atoms, atomCode } from "./atoms.ts";
import { ClassScorer, scoreRow } from "./class-scores.ts";
import { type ByKind, type Distribution, makeOfFactors } from "./distribution.ts";
import type { FactorScores } from "./factor.ts";

/** log q_m of the rows that are scored together. */
const work = new Scratch();

/** What all rows of a model have in common. */
interface Prepared {
  /** Gaps are worth nothing to the class scores of the known columns. */
  readonly noGaps: Float64Array;
  /** log π_m − log Z_m. */
  readonly constants: Float64Array;
}

const prepared = new WeakMap<Distribution, Prepared>();
/** Of the known columns alone. */
const scorers = new WeakMap<Distribution, ClassScorer>();

function preparedFor(model: Distribution): Prepared {
  const known = prepared.get(model);
  if (known) return known;
  const { tilt, components } = model;
  const noGaps = new Float64Array(tilt.schema.columns.length * tilt.intercept.length);
  const constants = Float64Array.from(
    components,
    ({ logWeight, logNormaliser }) => logWeight - logNormaliser,
  );
  const made = { noGaps, constants };
  prepared.set(model, made);
  return made;
}

/**
 * log P(m, k, y) for rows `start` to `end`, components first, with f the factors:
 *
 *     log π_m − log Z_m + b_k + Σ_{i known} s_ki(y_i) + Σ_f ( log q_mf(y_o) + log ∫ q_mf(x_h | y_o) e^{s_k(x_h)} dx_h )
 *
 * The class scores of the known columns are common to all components and added once. The scores are given up to a constant
 * per row, so that no density, however small, drowns the class scores.
 *
 * @param out (end − start) × (M·K), overwritten
 */
export function mixtureScores(
  model: Distribution,
  table: Table,
  start: number,
  end: number,
  out: Float64Array,
  context: ScoringContext,
): void {
  if (end - start === 1) {
    rowScores(model, table, start, out);
    return;
  }
  const { tilt } = model;
  const scorer = scorers.get(model) ?? new ClassScorer(tilt, preparedFor(model).noGaps);
  scorers.set(model, scorer);
  const classScores = new Float64Array((end - start) * tilt.intercept.length);
  scorer.score(table, start, end, classScores, context);
  addFactors(model, table, start, classScores, out, context);
}

/** The same for one row, M·K numbers, without what pays for many rows only: equal to the last bit but for a Gaussian, whose sums are in another order there. */
export function rowScores(model: Distribution, table: Table, row: number, out: Float64Array): void {
  const { tilt } = model;
  const classScores = new Float64Array(tilt.intercept.length);
  scoreRow(tilt, preparedFor(model).noGaps, cellsOfRow(table, row), classScores);
  addFactors(model, table, row, classScores, out, plainContext);
}

/** @param classScores b_k + Σ_{i known} s_ki(y_i) of rows from `start` on, rows × K */
function addFactors(
  model: Distribution,
  table: Table,
  start: number,
  classScores: Float64Array,
  out: Float64Array,
  context: ScoringContext,
): void {
  const { constants } = preparedFor(model);
  const [M, K] = [constants.length, model.tilt.intercept.length];
  const rows = classScores.length / K;
  const density = work.take(rows * M);
  for (let r = 0; r < rows; r++) density.set(constants, r * M);
  out.fill(0, 0, rows * M * K);
  for (const factor of scoresOf(model)) factor.addScores(table, start, rows, density, out, context);
  for (let r = 0; r < rows; r++) {
    const most = largest(density, r * M, (r + 1) * M);
    for (let m = r * M, to = m * K; m < (r + 1) * M; m++) {
      const score = density[m] - most;
      for (let k = 0; k < K; k++) out[to++] += score + classScores[r * K + k];
    }
  }
}

function largest(values: Float64Array, start: number, end: number): number {
  let most = values[start];
  for (let at = start + 1; at < end; at++) if (values[at] > most) most = values[at];
  return most;
}

/** Throws for a row whose scores are not finite, naming the infinite number of a table made by hand where there is one. */
export function rejectInfinite(table: Table, row: number): never {
  const i = table.columns.findIndex((cells) => Math.abs(cells[row]) === Number.POSITIVE_INFINITY);
  if (i < 0) {
    const message = `row ${row}: the numbers are so large, or so unlikely together, that no probability can be computed`;
    throw new ConformantError("invalid-value", message, { row });
  }
  const { name } = table.schema.columns[i];
  const value = table.columns[i][row];
  const message = `column ${show(name)}, row ${row}: must be a finite number or missing, got ${value}`;
  throw new ConformantError("invalid-value", message, { column: name, row, value });
}

/** Combinations in a group of columns: the tables of a panel then stay in the second-level cache for hundreds of columns. */
const [ATOM_CODES, GAP_CODES] = [81, 16];

/** Columns and states whose tables go through the rows together: a panel of them stays in the second-level cache. */
const [MOST_COLUMNS, MOST_STATES] = [1024, 1 << 14];

/** The sums over some columns, laid out for passes over many rows. */
interface AtomTables {
  readonly columns: readonly number[];
  /** Adds log q_m of the known atoms to M scores; the last state of a column is the gap, which adds nothing. */
  readonly atoms: StateTables;
  /** Adds log Z_mki of the gaps to M·K scores; state 1 of a column is the gap. */
  readonly gaps: StateTables;
}

/** The scores of columns that have atoms, summed up by tables over the states of neighbouring columns. */
export class AtomsScores implements FactorScores {
  readonly independent = true;
  readonly rowsTogether = 512;
  readonly #model: Distribution;
  readonly #columns: readonly number[];
  #tables: readonly AtomTables[] | undefined;

  constructor(model: Distribution, columns: readonly number[]) {
    this.#model = model;
    this.#columns = columns;
  }

  addScores(
    table: Table,
    start: number,
    rows: number,
    density: Float64Array,
    gaps: Float64Array,
    context: Context,
  ): void {
    const { atoms } = this.#model;
    this.#tables ??= chunksOf(atoms, this.#columns).map((own) => atomTables(this.#model, own));
    for (const tables of this.#tables) {
      const [known, hidden] = [tables.atoms.codesFor(rows), tables.gaps.codesFor(rows)];
      const [states, missing] = [new Int32Array(rows), new Int32Array(rows)];
      tables.columns.forEach((i, at) => {
        readStates(atoms, i, table.columns[i].subarray(start, start + rows), states, missing);
        tables.atoms.setStates(known, at, states);
        tables.gaps.setStates(hidden, at, missing);
      });
      tables.atoms.add(known, rows, density, context);
      tables.gaps.add(hidden, rows, gaps, context);
    }
  }
}

/** The columns in runs that go together. */
function chunksOf({ columns: all }: Atoms, columns: readonly number[]): number[][] {
  const chunks: number[][] = [];
  let states = Number.POSITIVE_INFINITY;
  for (const i of columns) {
    states += all[i].count + 1;
    if (states > MOST_STATES || chunks[chunks.length - 1].length === MOST_COLUMNS) {
      chunks.push([]);
      states = all[i].count + 1;
    }
    chunks[chunks.length - 1].push(i);
  }
  return chunks;
}

function atomTables({ atoms, components, tilt }: Distribution, columns: readonly number[]): AtomTables {
  const [M, K] = [components.length, tilt.intercept.length];
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
  return {
    columns,
    atoms: new StateTables(columns.map(knownOf), M, ATOM_CODES),
    gaps: new StateTables(columns.map(gapOf), M * K, GAP_CODES),
  };
}

/** The atom of each cell, counted within its column with the gap last, and whether it is a gap. */
function readStates(
  atoms: Atoms,
  i: number,
  cells: EncodedColumn,
  states: Int32Array,
  gaps: Int32Array,
): void {
  const { count, edges } = atoms.columns[i];
  for (let r = 0; r < cells.length; r++) {
    const code = edges ? atomCode(atoms, i, cells[r]) : cells[r];
    // The sign as a number: which cells are gaps cannot be foreseen, and a branch would cost more than both states.
    const gap = code >>> 31;
    states[r] = code + gap * (count + 1);
    gaps[r] = gap;
  }
}

const SCORES: ByKind<FactorScores> = {
  atoms: (model, columns) => new AtomsScores(model, columns),
  gaussian: (columns, gaussians) => new GaussianScores(columns, gaussians),
};

const scores = new WeakMap<Distribution, readonly FactorScores[]>();

/** The scores of a model's factors. */
export function scoresOf(model: Distribution): readonly FactorScores[] {
  return memoize(scores, model, makeScores);
}

function makeScores(model: Distribution): readonly FactorScores[] {
  return makeOfFactors(model, SCORES);
}

/** Whether the effect of a missing value is more than a constant per class: there are several components, or correlated columns. */
export function isMixture(distribution: Distribution): boolean {
  return distribution.components.length > 1 || scoresOf(distribution).some(({ independent }) => !independent);
}

/** P(m, k | y): M × K. */
export function posteriorOfRow(distribution: Distribution, table: Table, row: number): Float64Array {
  const posterior = logPosteriorOfRow(distribution, table, row);
  if (!Number.isFinite(softmaxInPlace(posterior))) rejectInfinite(table, row);
  return posterior;
}

/** log P(m, k | y) up to a constant: M × K. */
export function logPosteriorOfRow(distribution: Distribution, table: Table, row: number): Float64Array {
  const scores = new Float64Array(distribution.components.length * distribution.tilt.intercept.length);
  if (isMixture(distribution)) rowScores(distribution, table, row, scores);
  else scoreRow(distribution.tilt, distribution.components[0].logZ, cellsOfRow(table, row), scores);
  return scores;
}
