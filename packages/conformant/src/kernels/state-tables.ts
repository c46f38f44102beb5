import type { Context } from "./context.ts";
import { type Kernels, TILE } from "./kernels.ts";
import { plainKernels } from "./plain-scoring.ts";

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

/** Which group a column is in, and what one state more adds to the group's code. */
interface Digit {
  readonly group: number;
  readonly unit: number;
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
  readonly #digits: readonly Digit[];
  readonly #outputs: number;
  /** One table per panel: codes × 8. */
  readonly #panels: readonly Float64Array[];

  /** @param most combinations in a group, unless one column alone has more */
  constructor(columns: readonly StateColumn[], outputs: number, most: number) {
    this.#outputs = outputs;
    const groups: Group[] = [];
    const digits: Digit[] = [];
    let [codes, combinations, first] = [0, 1, 0];
    const close = (end: number): void => {
      if (end > first) groups.push({ first, columns: end - first, start: codes });
      codes += combinations;
      [first, combinations] = [end, 1];
    };
    columns.forEach(({ states }, i) => {
      if (i > first && combinations * states > most) close(i);
      digits.push({ group: groups.length, unit: combinations });
      combinations *= states;
    });
    close(columns.length);
    this.#groups = groups;
    this.#digits = digits;
    this.#panels = Array.from({ length: Math.ceil(outputs / PANEL) }, (_, p) =>
      fillPanel(columns, groups, codes, p * PANEL, Math.min(PANEL, outputs - p * PANEL)),
    );
  }

  /** The codes of rows, groups × rows, with every column in state 0. */
  codesFor(rows: number): Int32Array {
    const codes = new Int32Array(this.#groups.length * rows);
    this.#groups.forEach(({ start }, g) => {
      codes.fill(PANEL * start, g * rows, (g + 1) * rows);
    });
    return codes;
  }

  /** Puts column i of rows into the given states. */
  setStates(codes: Int32Array, i: number, states: Int32Array): void {
    const { group, unit } = this.#digits[i];
    addMultiples(states, PANEL * unit, codes, group * states.length);
  }

  /** Adds the sums of rows with the given codes to `out`, rows × outputs. */
  add(codes: Int32Array, rows: number, out: Float64Array, context: Context): void {
    const size = this.#panels[0]?.length ?? 0;
    const [groups, outputs] = [this.#groups.length, this.#outputs];
    const room = size + codes.length + rows * PANEL + 8;
    const add = (kernels: Kernels): void => {
      const byRow = kernels.integers(codes.length);
      transpose(codes, groups, rows, byRow);
      const sums = kernels.numbers(rows * PANEL);
      const held = kernels === plainKernels ? undefined : kernels.numbers(size);
      this.#panels.forEach((panel, p) => {
        held?.set(panel);
        kernels.addStates(held ?? panel, byRow, groups, sums);
        addPanel(sums, rows, out, p * PANEL, outputs);
      });
    };
    if (rows < MANY) add(plainKernels);
    else context.use(room, add);
  }
}

function transpose(numbers: Int32Array, lines: number, length: number, out: Int32Array): void {
  for (let i = 0; i < lines; i++)
    for (let j = 0; j < length; j++) out[j * lines + i] = numbers[i * length + j];
}

function addMultiples(numbers: Int32Array, by: number, out: Int32Array, at: number): void {
  for (let r = 0; r < numbers.length; r++) out[at + r] += by * numbers[r];
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
