import { BoundedCache, memoize } from "../cache.ts";
import { type MissingNormals, noNormals } from "../gaussian/condition.ts";
import { GaussianFactor } from "../gaussian/gaussian-factor.ts";
import { LOG_IMPOSSIBLE, logSumExp } from "../math/softmax.ts";
import { isLinear, slotOffsets } from "../schema/column.ts";
import { isMissingCell, type Table } from "../schema/data.ts";
import { type Cells, isMissing } from "../schema/read-row.ts";
import { atomOf } from "./atoms.ts";
import {
  type ByKind,
  type Distribution,
  logAtomGivenClass,
  type MissingColumn,
  makeOfFactors,
  missingAtoms,
} from "./distribution.ts";
import type { Factor, Tilt, TiltedFactor } from "./factor.ts";
import { posteriorOfRow } from "./score-rows.ts";

/**
 * All ways to complete a row: given component and class the missing columns with finitely many values are independent, and
 * the hidden numbers, if any, jointly normal,
 *
 *     P(x_missing | y) = Σ_mk P(m, k | y) Π_i P_m(x_i | k) · P_m(x_h | y_o, k)
 */
export interface CompletionSpace {
  readonly distribution: Distribution;
  readonly K: number;
  /** P(m, k | y), M × K. */
  readonly posterior: Float64Array;
  /** The missing columns with finitely many values. */
  readonly missing: readonly MissingColumn[];
  /** The missing numbers that are jointly normal. */
  readonly normals: MissingNormals;
  /** How many completions there are; Infinity beyond the range of numbers, and where normal numbers are missing. */
  readonly size: number;
}

/** The completions of row `row` of a table. */
export function completionSpace(distribution: Distribution, table: Table, row: number): CompletionSpace {
  const K = distribution.tilt.intercept.length;
  const gaps = Array.from(table.columns.keys()).filter((i) => isMissingCell(table.columns[i], row));
  const missing = factorsOf(distribution).flatMap((factor) => factor.missingColumns(gaps));
  const normals = missingNormals(distribution, table, row);
  const size = normals.columns.length > 0 ? Number.POSITIVE_INFINITY : sizeOf(missing);
  return { distribution, K, posterior: posteriorOfRow(distribution, table, row), missing, normals, size };
}

/** In how many ways columns can be completed. */
export function sizeOf(missing: readonly MissingColumn[]): number {
  return missing.reduce((product, { count }) => product * count, 1);
}

/** Tells the cell of every missing column in a completion, with the column's position in the schema. */
export function eachCell(
  { missing, normals }: CompletionSpace,
  atoms: Int32Array,
  numbers: Float64Array,
  tell: (index: number, cell: number) => void,
): void {
  for (let j = 0; j < missing.length; j++) tell(missing[j].index, missing[j].cellOf(atoms[j]));
  for (let a = 0; a < numbers.length; a++) tell(normals.columns[a], numbers[a]);
}

/** The factors of a model, and by position of a column the one that it belongs to. */
interface Factors {
  readonly all: readonly Factor[];
  readonly ofColumn: readonly Factor[];
}

const FACTORS: ByKind<Factor> = {
  atoms: (model, columns) => new AtomsFactor(model, columns),
  gaussian: (columns, gaussians) => new GaussianFactor(columns, gaussians),
};

const made = new WeakMap<Distribution, Factors>();

/** The factors of a model, which share out its columns. */
export function factorsOf(model: Distribution): readonly Factor[] {
  return memoize(made, model, makeFactors).all;
}

/** The factor that a column belongs to. */
export function factorOf(model: Distribution, i: number): Factor {
  return memoize(made, model, makeFactors).ofColumn[i];
}

/**
 * The hidden numbers of a row that are jointly normal given the known ones, if any.
 *
 * @param only the component that is wanted, all by default
 */
export function missingNormals(
  model: Distribution,
  table: Table,
  row: number,
  only?: number,
): MissingNormals {
  for (const factor of factorsOf(model)) {
    const hidden = factor.missingNormals(table, row, only);
    if (hidden) return hidden;
  }
  return noNormals(only === undefined ? model.components.length : 1, model.tilt.intercept.length);
}

function makeFactors(model: Distribution): Factors {
  const all = makeOfFactors(model, FACTORS);
  const ofColumn: Factor[] = [];
  for (const factor of all) for (const i of factor.columns) ofColumn[i] = factor;
  return { all, ofColumn };
}

/** Numbers that are kept of what missing columns may be, 32 MB of them: questions ask for the same columns row after row. */
const MOST_KEPT = 1 << 22;

/** Columns that are independent given component and class, each with its atoms: q_m(x) = Π_i q_mi(x_i). */
export class AtomsFactor implements Factor {
  readonly columns: readonly number[];
  readonly independent = true;
  readonly #model: Distribution;
  readonly #own: ReadonlySet<number>;
  readonly #slots: ReturnType<typeof slotOffsets>;
  readonly #missing = new BoundedCache<number, MissingColumn>(MOST_KEPT);

  constructor(model: Distribution, columns: readonly number[]) {
    this.#model = model;
    this.columns = columns;
    this.#own = new Set(columns);
    this.#slots = slotOffsets(model.schema);
  }

  addLogGivenClass(table: Table, row: number, joint: Float64Array): void {
    const { atoms, components } = this.#model;
    components.forEach((component, m) => {
      const K = component.logPrior.length;
      for (const i of this.columns) {
        const atom = atomOf(atoms, i, table.columns[i][row]);
        if (atom < 0) continue;
        for (let k = 0; k < K; k++) joint[m * K + k] += logAtomGivenClass(atoms, component, i, atom, k);
      }
    });
  }

  /** Σ_i s_ki(y_i) + log q_mi(y_i) − log Z_mki. */
  addEvidence(cells: Cells, columns: readonly number[], terms: Float64Array, at: number): number {
    let scale = 0;
    for (let j = 0; j < columns.length; j++) {
      const i = columns[j];
      if (this.#own.has(i) && !isMissing(this.#model.schema.columns[i], cells[i]))
        scale += this.#addTerms(i, cells[i], terms, at);
    }
    return scale;
  }

  /** Adds the terms of a known cell x of column i; returns the size of the numbers whose differences they are. */
  #addTerms(i: number, x: number, terms: Float64Array, at: number): number {
    const { tilt, atoms, components, schema } = this.#model;
    const K = tilt.intercept.length;
    const linear = isLinear(schema.columns[i]);
    // s_k = factor · weights[slot]: x itself for numbers and bits, 1 for a value.
    const slot = linear ? this.#slots[i] : this.#slots[i] + x;
    const factor = linear ? x : 1;
    // One component: q is the same for all classes and cancels, also where it is 0.
    const atom = components.length > 1 ? atomOf(atoms, i, x) : -1;
    let largest = 0;
    for (let m = 0; m < components.length; m++) {
      const { logQ, logZ } = components[m];
      const shared = atom < 0 ? 0 : Math.max(logQ[atom], LOG_IMPOSSIBLE);
      for (let k = 0; k < K; k++) {
        const score = factor * tilt.weights[slot * K + k];
        terms[at + m * K + k] += score - logZ[i * K + k] + shared;
        largest = Math.max(largest, Math.abs(score) + Math.abs(logZ[i * K + k]));
      }
    }
    return largest;
  }

  missingColumns(columns: readonly number[]): MissingColumn[] {
    return columns.filter((i) => this.#own.has(i)).map((i) => this.#missing.get(i) ?? this.#describe(i));
  }

  #describe(i: number): MissingColumn {
    const column = missingAtoms(this.#model, i);
    const numbers = column.conditional.length + column.logConditional.length;
    return this.#missing.keep(i, column, numbers);
  }

  missingNormals(): undefined {
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

const priors = new WeakMap<Distribution, Float64Array>();

/** log P(m, k), M × K: what is known of component and class before any column is. The array is the caller's own. */
export function logPriors(model: Distribution): Float64Array {
  return memoize(priors, model, ({ components }) =>
    Float64Array.from(
      components.flatMap(({ logWeight, logPrior }) => Array.from(logPrior, (log) => logWeight + log)),
    ),
  ).slice();
}

/** log P(y, k) of row `row` of a table, K numbers: log Σ_m P(m, k) Π_f P_mf(y_o | k) over the factors f. */
export function logJointOfRow(model: Distribution, table: Table, row: number): Float64Array {
  const [M, K] = [model.components.length, model.tilt.intercept.length];
  const joint = logPriors(model);
  for (const factor of factorsOf(model)) factor.addLogGivenClass(table, row, joint);
  const [ofClass, sums] = [new Float64Array(M), new Float64Array(K)];
  for (let k = 0; k < K; k++) {
    for (let m = 0; m < M; m++) ofClass[m] = joint[m * K + k];
    sums[k] = logSumExp(ofClass);
  }
  return sums;
}
