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

/** Outputs that go through a row together: eight sums stay in registers, and their table entries are one line of the cache. */
const PANEL = 8;

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

/** Adds the eight sums of one panel, or as many as are left, to outputs `first` and on. */
function addPanel(
  table: Float64Array,
  codes: Int32Array,
  rows: number,
  groups: number,
  out: Float64Array,
  first: number,
  outputs: number,
): void {
  const width = Math.min(PANEL, outputs - first);
  const sums = new Float64Array(PANEL);
  for (let r = 0; r < rows; r++) {
    addEntries(table, codes, r * groups, (r + 1) * groups, sums);
    const to = r * outputs + first;
    for (let j = 0; j < width; j++) out[to + j] += sums[j];
  }
}

/** The sums of the table's entries at the codes from `start` to `end`. */
function addEntries(
  table: Float64Array,
  codes: Int32Array,
  start: number,
  end: number,
  sums: Float64Array,
): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let e = 0;
  let f = 0;
  let g = 0;
  let h = 0;
  for (let at = start; at < end; at++) {
    const t = codes[at];
    a += table[t];
    b += table[t + 1];
    c += table[t + 2];
    d += table[t + 3];
    e += table[t + 4];
    f += table[t + 5];
    g += table[t + 6];
    h += table[t + 7];
  }
  sums[0] = a;
  sums[1] = b;
  sums[2] = c;
  sums[3] = d;
  sums[4] = e;
  sums[5] = f;
  sums[6] = g;
  sums[7] = h;
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
