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

/** Outputs that go through a row together: four sums stay in registers. */
const PANEL = 4;

/**
 * Sums over many columns for many outputs, out_j = Σ_i weight_i(state_i, j), with a table over the combined states of
 * neighbouring columns: four 0/1 columns cost one addition per output instead of four, and a panel of four outputs
 * stays in the processor's cache while the rows go by.
 */
export class StateTables {
  readonly #groups: readonly Group[] = [];
  readonly #radix: Int32Array;
  readonly #outputs: number;
  /** One table per panel: codes × 4. */
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
    const codes = this.#codesOf(states, rows);
    this.#panels.forEach((table, p) => {
      addPanel(table, codes, rows, this.#groups.length, out, p * PANEL, this.#outputs);
    });
  }

  /** Where each group's entry stands in a panel: rows × groups. */
  #codesOf(states: Int32Array, rows: number): Int32Array {
    const codes = new Int32Array(rows * this.#groups.length);
    this.#groups.forEach(({ first, columns, start }, g) => {
      for (let r = 0; r < rows; r++) {
        let code = start;
        for (let i = first; i < first + columns; i++) code += this.#radix[i] * states[i * rows + r];
        codes[r * this.#groups.length + g] = PANEL * code;
      }
    });
    return codes;
  }
}

/** Adds the four sums of one panel, or as many as are left, to outputs `first` and on. */
function addPanel(
  table: Float64Array,
  codes: Int32Array,
  rows: number,
  groups: number,
  out: Float64Array,
  first: number,
  outputs: number,
): void {
  for (let r = 0; r < rows; r++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    const end = (r + 1) * groups;
    for (let at = r * groups; at < end; at++) {
      const t = codes[at];
      a += table[t];
      b += table[t + 1];
      c += table[t + 2];
      d += table[t + 3];
    }
    const to = r * outputs + first;
    out[to] += a;
    if (first + 1 < outputs) out[to + 1] += b;
    if (first + 2 < outputs) out[to + 2] += c;
    if (first + 3 < outputs) out[to + 3] += d;
  }
}

/** The table of four outputs: for each code of each group the sum over its columns. */
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
