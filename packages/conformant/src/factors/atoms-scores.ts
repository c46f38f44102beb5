import { LOG_IMPOSSIBLE } from "../math/exponential/log-impossible.ts";
import { type Atoms, atomCode } from "../model/atoms.ts";
import type { Model } from "../model/model.ts";
import { type StateColumn, StateTables } from "../packing/state-tables.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";
import type { FactorScores } from "./factor-scores.ts";

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
  readonly #model: Model;
  readonly #columns: readonly number[];
  #tables: readonly AtomTables[] | undefined;

  constructor(model: Model, columns: readonly number[]) {
    this.#model = model;
    this.#columns = columns;
  }

  addScores(table: Table, start: number, rows: number, density: Float64Array, gaps: Float64Array): void {
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
      tables.atoms.add(known, rows, density);
      tables.gaps.add(hidden, rows, gaps);
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
    // The sign as a number: which cells are gaps cannot be foreseen, and a branch would cost more than both states.
    const gap = code >>> 31;
    states[r] = code + gap * (count + 1);
    gaps[r] = gap;
  }
}
