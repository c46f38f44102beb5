import { LOG_IMPOSSIBLE } from "../math/exponential/log-impossible.ts";
import { logSumExp } from "../math/exponential/log-sum-exp.ts";
import { type Atoms, atomCode, atomOf } from "../model/atoms.ts";
import { logAtomGivenClass, type Model } from "../model/model.ts";
import { type StateColumn, StateTables } from "../packing/state-tables.ts";
import { slotOffsets } from "../schema/column.ts";
import { type EncodedColumn, isGapCell, type Table } from "../schema/data.ts";
import type { EvidenceOf, Factor, Tilt, TiltedFactor } from "./factor.ts";
import { type MissingColumn, missingAtoms } from "./missing-column.ts";

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

/** Columns that are independent given component and class, each with its atoms: q_m(x) = Π_i q_mi(x_i). */
export class AtomsFactor implements Factor {
  readonly columns: readonly number[];
  readonly independent = true;
  readonly rowsTogether = 512;
  readonly #model: Model;
  #tables: readonly AtomTables[] | undefined;

  constructor(model: Model, columns: readonly number[]) {
    this.#model = model;
    this.columns = columns;
  }

  addScores(table: Table, start: number, rows: number, density: Float64Array, gaps: Float64Array): void {
    this.#tables ??= chunksOf(this.#model.atoms, this.columns).map((own) => atomTables(this.#model, own));
    for (const tables of this.#tables) {
      const states = new Int32Array(tables.columns.length * rows);
      const missing = new Int32Array(tables.columns.length * rows);
      tables.columns.forEach((i, at) => {
        const cells = table.columns[i].subarray(start, start + rows);
        readStates(this.#model.atoms, i, cells, states.subarray(at * rows), missing.subarray(at * rows));
      });
      tables.atoms.add(states, rows, density);
      tables.gaps.add(missing, rows, gaps);
    }
  }

  addLogGivenClass(table: Table, row: number, joint: Float64Array): void {
    const { atoms, components } = this.#model;
    components.forEach((component, m) => {
      const K = component.logPrior.length;
      for (const i of this.columns) {
        const atom = atomOf(atoms, i, table.columns[i], row);
        if (atom < 0) continue;
        for (let k = 0; k < K; k++) joint[m * K + k] += logAtomGivenClass(atoms, component, i, atom, k);
      }
    });
  }

  /** Σ_i s_ki(y_i) + log q_mi(y_i) − log Z_mki. */
  evidence(table: Table, row: number): EvidenceOf {
    const { classifier, components } = this.#model;
    const cells = components.length * classifier.classes.length;
    const slots = slotOffsets(classifier.schema);
    const own = new Set(this.columns);
    return (columns) => {
      const terms = new Float64Array(cells);
      let scale = 0;
      for (const i of columns)
        if (own.has(i) && !isGapCell(table.columns[i], row))
          scale += addTerms(this.#model, knownCell(this.#model, table, row, i, slots[i]), terms);
      return { terms, scale };
    };
  }

  missingColumns(columns: readonly number[]): MissingColumn[] {
    const own = new Set(this.columns);
    return columns.filter((i) => own.has(i)).map((i) => missingAtoms(this.#model, i));
  }

  hiddenNormals(): undefined {
    return undefined;
  }

  tilted(m: number, tilts: ReadonlyMap<number, Tilt>): TiltedFactor {
    const { atoms, components } = this.#model;
    const logQ = components[m].logQ.slice();
    let logFactor = 0;
    for (const i of this.columns) {
      const tilt = tilts.get(i);
      if (!tilt) continue;
      const own = logQ.subarray(atoms.offsets[i], atoms.offsets[i + 1]);
      own.forEach((_, v) => {
        own[v] += tilt.of(atoms.columns[i].values?.[v] ?? v);
      });
      logFactor += logSumExp(own);
    }
    return { parts: { logQ }, logFactor };
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

function atomTables({ atoms, components, classifier }: Model, columns: readonly number[]): AtomTables {
  const [M, K] = [components.length, classifier.classes.length];
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
    const code = edges ? atomCode(atoms, i, cells, r) : cells[r];
    states[r] = code < 0 ? count : code;
    gaps[r] = code < 0 ? 1 : 0;
  }
}

/** A known cell x of column i, where s_k = factor · weights[slot]: x itself for numbers and bits, 1 for a value. */
interface KnownCell {
  readonly i: number;
  readonly slot: number;
  readonly factor: number;
  readonly atom: number;
}

/** @param start the first slot of the column */
function knownCell(
  { classifier, atoms, components }: Model,
  table: Table,
  row: number,
  i: number,
  start: number,
): KnownCell {
  const { kind } = classifier.schema.columns[i];
  const x = table.columns[i][row];
  // One component: q is the same for all classes and cancels, also where it is 0.
  const atom = components.length > 1 ? atomOf(atoms, i, table.columns[i], row) : -1;
  const linear = kind === "numeric" || kind === "binary";
  return linear ? { i, slot: start, factor: x, atom } : { i, slot: start + x, factor: 1, atom };
}

/** Adds the terms of a cell, M × K, and returns the size of the numbers whose difference they are. */
function addTerms(
  { classifier: { weights, intercept }, components }: Model,
  { i, slot, factor, atom }: KnownCell,
  terms: Float64Array,
): number {
  const K = intercept.length;
  let largest = 0;
  for (let m = 0; m < components.length; m++) {
    const { logQ, logZ } = components[m];
    const shared = atom < 0 ? 0 : Math.max(logQ[atom], LOG_IMPOSSIBLE);
    for (let k = 0; k < K; k++) {
      const score = factor * weights[slot * K + k];
      terms[m * K + k] += score - logZ[i * K + k] + shared;
      largest = Math.max(largest, Math.abs(score) + Math.abs(logZ[i * K + k]));
    }
  }
  return largest;
}
