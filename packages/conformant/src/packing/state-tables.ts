import { type Kernels, TILE } from "../kernels/kernels.ts";
import { openKernels } from "../kernels/open-kernels.ts";
import { plainKernels } from "../kernels/plain-kernels.ts";

/** A column with finitely many states, each of which adds something to every output. */
export interface StateColumn {
  readonly states: number;
  /** What state `state` adds to output `output`. */
  readonly weight: (state: number, output: number) => number;
}

/** Neighbouring columns, whose states together are one code. */
interface Group {
  readonly first: number;
  readonly columns: number;
  /** Where the group's codes start among those of all groups. */
  readonly start: number;
}

/** Outputs that go through a row together: their sums stay in registers. */
const PANEL = TILE;
/** Rows for which it pays to take the tables to where the fast loops find them. */
const MANY = 32;

/**
 * Sums over many columns for many outputs, out_j = Σ_i weight_i(state_i, j), with a table over the combined states of
 * neighbouring columns: four 0/1 columns cost one addition per output instead of four, and a panel of eight outputs
 * stays in the processor's cache while the rows go by.
 */
export class StateTables {
  readonly #groups: readonly Group[] = [];
  readonly #radix: Int32Array;
  readonly #outputs: number;
  /** One table per panel: codes × 8. */
  readonly #panels: readonly Float64Array[];

  /** @param most combinations in a group, unless one column alone has more */
  constructor(columns: readonly StateColumn[], outputs: number, most: number) {
    this.#outputs = outputs;
    this.#radix = new Int32Array(columns.length);
    const groups: Group[] = [];
    let [codes, combinations, first] = [0, 1, 0];
    const close = (end: number): void => {
      if (end > first) groups.push({ first, columns: end - first, start: codes });
      codes += combinations;
      [first, combinations] = [end, 1];
    };
    columns.forEach(({ states }, i) => {
      if (i > first && combinations * states > most) close(i);
      this.#radix[i] = combinations;
      combinations *= states;
    });
    close(columns.length);
    this.#groups = groups;
    this.#panels = Array.from({ length: Math.ceil(outputs / PANEL) }, (_, p) =>
      fillPanel(columns, groups, codes, p * PANEL, Math.min(PANEL, outputs - p * PANEL)),
    );
  }

  /**
   * Adds the sums of `rows` rows to `out`, rows × outputs.
   *
   * @param states columns × rows, `states[i * rows + r]`
   */
  add(states: Int32Array, rows: number, out: Float64Array): void {
    const size = this.#panels[0]?.length ?? 0;
    const [groups, outputs] = [this.#groups.length, this.#outputs];
    const room = size + rows * (groups + PANEL) + 8;
    const kernels: Kernels = rows < MANY ? plainKernels : openKernels(room);
    const codes = kernels.integers(rows * groups);
    this.#writeCodes(states, rows, codes);
    const sums = kernels.numbers(rows * PANEL);
    const held = kernels === plainKernels ? undefined : kernels.numbers(size);
    this.#panels.forEach((panel, p) => {
      held?.set(panel);
      kernels.addStates(held ?? panel, codes, groups, sums);
      addPanel(sums, rows, out, p * PANEL, outputs);
    });
  }

  /** Where each group's entry stands in a panel: rows × groups. */
  #writeCodes(states: Int32Array, rows: number, codes: Int32Array): void {
    this.#groups.forEach(({ first, columns, start }, g) => {
      for (let r = 0; r < rows; r++) {
        let code = start;
        for (let i = first; i < first + columns; i++) code += this.#radix[i] * states[i * rows + r];
        codes[r * this.#groups.length + g] = PANEL * code;
      }
    });
  }
}

/** Adds the sums of one panel, rows × 8 or as many as are left, to outputs `first` and on. */
function addPanel(sums: Float64Array, rows: number, out: Float64Array, first: number, outputs: number): void {
  const width = Math.min(PANEL, outputs - first);
  for (let r = 0; r < rows; r++) {
    const to = r * outputs + first;
    for (let j = 0; j < width; j++) out[to + j] += sums[r * PANEL + j];
  }
}

/** The table of eight outputs: for each code of each group the sum over its columns. */
function fillPanel(
  columns: readonly StateColumn[],
  groups: readonly Group[],
  codes: number,
  output: number,
  width: number,
): Float64Array {
  const table = new Float64Array(codes * PANEL);
  for (const { first, columns: count, start } of groups) {
    let filled = 1;
    for (let i = first; i < first + count; i++) {
      const { states, weight } = columns[i];
      // The codes so far, repeated for each state of the next column; from the end, so that none is overwritten too early.
      for (let state = states - 1; state >= 0; state--) {
        for (let j = 0; j < width; j++) {
          const own = weight(state, output + j);
          for (let code = 0; code < filled; code++) {
            table[(start + state * filled + code) * PANEL + j] = table[(start + code) * PANEL + j] + own;
          }
        }
      }
      filled *= states;
    }
  }
  return table;
}
