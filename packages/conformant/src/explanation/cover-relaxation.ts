/**
 * A covering problem: choose as few items as possible so that every row's gains add up to its need,
 *
 *     minimise Σ_j x_j   subject to   Σ_j gain_rj x_j ≥ need_r,   x_j ∈ {0, 1}
 *
 * Gains may be negative.
 */
export interface Cover {
  /** Number of items. */
  readonly items: number;
  /** One array of gains per row, an entry per item. */
  readonly gains: readonly Float64Array[];
  readonly needs: readonly number[];
}

/** Violations, reduced costs and pivots below this count as zero. */
const TINY = 1e-11;

/**
 * The relaxation 0 ≤ x ≤ 1 of a covering problem, solved by the dual simplex method for bounded variables (Koberstein 2005,
 * chapter 3). All x = 0 is dual feasible since every item costs 1, so there is no first phase, and it stays dual feasible
 * when an item is fixed or a row is added: a solved relaxation is a good start for the next.
 *
 * The dictionary gives the basic variables in terms of the others, basic_i = value_i + Σ_j entries[i][j] · (change of
 * nonbasic j). Variables 0 … n − 1 are the items, n + r is the surplus of row r, which has no upper bound.
 */
export class CoverRelaxation {
  readonly #n: number;
  readonly #entries: Float64Array[];
  readonly #value: number[];
  readonly #basic: number[];
  /** Reduced costs: ≥ 0 for a nonbasic variable at its lower bound, ≤ 0 at its upper one, anything for a fixed one. */
  readonly #cost: Float64Array;
  readonly #nonbasic: Int32Array;
  readonly #atUpper: Uint8Array;
  /** Bounds of the items; equal where an item is fixed. */
  readonly lower: Uint8Array;
  readonly upper: Uint8Array;

  constructor(from: Cover | CoverRelaxation) {
    const copy = from instanceof CoverRelaxation;
    this.#n = copy ? from.#n : from.items;
    this.#entries = (copy ? from.#entries : from.gains).map((row) => row.slice());
    this.#value = copy ? [...from.#value] : from.needs.map((need) => -need);
    this.#basic = copy ? [...from.#basic] : from.needs.map((_, r) => from.items + r);
    this.#cost = copy ? from.#cost.slice() : new Float64Array(this.#n).fill(1);
    this.#nonbasic = copy ? from.#nonbasic.slice() : Int32Array.from({ length: this.#n }, (_, j) => j);
    this.#atUpper = copy ? from.#atUpper.slice() : new Uint8Array(this.#n);
    this.lower = copy ? from.lower.slice() : new Uint8Array(this.#n);
    this.upper = copy ? from.upper.slice() : new Uint8Array(this.#n).fill(1);
  }

  /** Fixes an item at 0 or 1. */
  fix(item: number, at: 0 | 1): void {
    const j = this.#nonbasic.indexOf(item);
    if (j >= 0) {
      const change = at - this.#valueAt(j);
      this.#entries.forEach((row, i) => {
        this.#value[i] += row[j] * change;
      });
      this.#atUpper[j] = at;
    }
    this.lower[item] = this.upper[item] = at;
  }

  /** Adds a row Σ_j gains_j x_j ≥ need. */
  addRow(gains: Float64Array, need: number): void {
    const row = new Float64Array(this.#n);
    let value = -need;
    const x = this.items();
    for (let j = 0; j < this.#n; j++) {
      value += gains[j] * x[j];
      if (this.#nonbasic[j] < this.#n) row[j] += gains[this.#nonbasic[j]];
    }
    this.#basic.forEach((variable, i) => {
      if (variable >= this.#n) return;
      for (let j = 0; j < this.#n; j++) row[j] += gains[variable] * this.#entries[i][j];
    });
    this.#basic.push(this.#n + this.#entries.length);
    this.#entries.push(row);
    this.#value.push(value);
  }

  /**
   * Pivots on the most violated row until none is, or one cannot be repaired (no x exists), or so often that it must be
   * numerical trouble. Returns the prices of the rows, λ ≥ 0: the dual optimum, or far along a ray that proves infeasibility.
   */
  solve(): Float64Array {
    const most = 50 * (this.#value.length + 4) + 4 * this.#n;
    for (let pivots = 0; pivots < most; pivots++) {
      const i = this.#mostViolated();
      if (i < 0) break;
      const j = this.#entering(i);
      if (j < 0) return this.#rayPrices(i);
      this.#pivot(i, j);
    }
    return this.#prices();
  }

  /** x of the current basis. */
  items(): Float64Array {
    const x = new Float64Array(this.#n);
    for (let j = 0; j < this.#n; j++)
      if (this.#nonbasic[j] < this.#n) x[this.#nonbasic[j]] = this.#valueAt(j);
    this.#basic.forEach((variable, i) => {
      if (variable < this.#n) x[variable] = Math.min(1, Math.max(0, this.#value[i]));
    });
    return x;
  }

  #valueAt(j: number): number {
    const variable = this.#nonbasic[j];
    if (variable >= this.#n) return 0;
    return this.#atUpper[j] ? this.upper[variable] : this.lower[variable];
  }

  /** By how much a basic variable lies outside its bounds: negative below, positive above, else 0. */
  #violation(i: number): number {
    const [variable, value] = [this.#basic[i], this.#value[i]];
    const below = value - (variable < this.#n ? this.lower[variable] : 0);
    if (below < -TINY) return below;
    return variable < this.#n && value > this.upper[variable] + TINY ? value - this.upper[variable] : 0;
  }

  #mostViolated(): number {
    let row = -1;
    let worst = 0;
    for (let i = 0; i < this.#value.length; i++) {
      const size = Math.abs(this.#violation(i));
      if (size > worst) [row, worst] = [i, size];
    }
    return row;
  }

  /** The nonbasic variable that repairs the row at the least change of the reduced costs; −1 if none can. */
  #entering(i: number): number {
    const { lower, upper } = this;
    const [cost, atUpper, n, nonbasic] = [this.#cost, this.#atUpper, this.#n, this.#nonbasic];
    const row = this.#entries[i];
    const direction = this.#violation(i) < 0 ? 1 : -1;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < n; j++) {
      const push = atUpper[j] ? -direction * row[j] : direction * row[j];
      if (push <= TINY || (nonbasic[j] < n && lower[nonbasic[j]] === upper[nonbasic[j]])) continue;
      const ratio = Math.abs(cost[j]) / push;
      if (ratio < least) [best, least] = [j, ratio];
    }
    return best;
  }

  /** Basic variable i leaves at the bound it violates, nonbasic variable j becomes basic. */
  #pivot(i: number, j: number): void {
    const [entries, value, n] = [this.#entries, this.#value, this.#n];
    const [leaving, entered] = [this.#basic[i], this.#nonbasic[j]];
    const above = this.#violation(i) > 0;
    const target = leaving >= n ? 0 : above ? this.upper[leaving] : this.lower[leaving];
    const row = entries[i];
    const p = row[j];
    const change = (target - value[i]) / p;
    for (let l = 0; l < value.length; l++) if (l !== i) value[l] += entries[l][j] * change;
    value[i] = this.#valueAt(j) + change;
    // nonbasic j = (basic i − Σ_{l ≠ j} row_l · nonbasic l) / p
    for (let l = 0; l < n; l++) row[l] /= -p;
    row[j] = 1 / p;
    for (let k = 0; k < entries.length; k++) if (k !== i) substitute(entries[k], row, j, n);
    substitute(this.#cost, row, j, n);
    this.#basic[i] = entered;
    this.#nonbasic[j] = leaving;
    this.#atUpper[j] = above ? 1 : 0;
  }

  /** The price of a row is the reduced cost of its surplus. */
  #prices(): Float64Array {
    const prices = new Float64Array(this.#value.length);
    for (let j = 0; j < this.#n; j++) {
      if (this.#nonbasic[j] >= this.#n) prices[this.#nonbasic[j] - this.#n] = Math.max(0, this.#cost[j]);
    }
    return prices;
  }

  /** Prices far along the ray of a row that cannot be repaired: the bound they prove grows with the distance. */
  #rayPrices(i: number): Float64Array {
    const prices = this.#prices();
    const direction = this.#violation(i) < 0 ? -FAR : FAR;
    for (let j = 0; j < this.#n; j++) {
      const r = this.#nonbasic[j] - this.#n;
      if (r >= 0) prices[r] = Math.max(0, prices[r] + direction * this.#entries[i][j]);
    }
    if (this.#basic[i] >= this.#n) prices[this.#basic[i] - this.#n] += FAR;
    return prices;
  }
}

/** Distance along a ray, large against any number of items over any violation that counts. */
const FAR = 1e8;

/** Replaces the variable of column j in a row by what the pivot row says it is. */
function substitute(target: Float64Array, row: Float64Array, j: number, n: number): void {
  const factor = target[j];
  if (factor === 0) return;
  target[j] = 0;
  for (let l = 0; l < n; l++) target[l] += factor * row[l];
}
