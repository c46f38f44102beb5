import { KeptWithin } from "../kept-within.ts";
import { LOG_IMPOSSIBLE } from "../math/exponential/log-impossible.ts";
import { logSumExp } from "../math/exponential/log-sum-exp.ts";
import { atomOf } from "../model/atoms.ts";
import { logAtomGivenClass, type Model } from "../model/model.ts";
import { isLinear, slotOffsets } from "../schema/column.ts";
import { isGapCell, type Table } from "../schema/data.ts";
import type { EvidenceOf, Factor, Tilt, TiltedFactor } from "./factor.ts";
import { type MissingColumn, missingAtoms } from "./missing-column.ts";

/** Numbers that are kept of what missing columns may be, 32 MB of them: questions ask for the same columns row after row. */
const MOST_KEPT = 1 << 22;

/** Columns that are independent given component and class, each with its atoms: q_m(x) = Π_i q_mi(x_i). */
export class AtomsFactor implements Factor {
  readonly columns: readonly number[];
  readonly independent = true;
  readonly #model: Model;
  readonly #own: ReadonlySet<number>;
  readonly #slots: ReturnType<typeof slotOffsets>;
  readonly #missing = new KeptWithin<number, MissingColumn>(MOST_KEPT);

  constructor(model: Model, columns: readonly number[]) {
    this.#model = model;
    this.columns = columns;
    this.#own = new Set(columns);
    this.#slots = slotOffsets(model.classifier.schema);
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
    const outcomes = components.length * classifier.classes.length;
    return (columns) => {
      const terms = new Float64Array(outcomes);
      let scale = 0;
      for (const i of columns)
        if (this.#own.has(i) && !isGapCell(table.columns[i], row))
          scale += addTerms(this.#model, knownCell(this.#model, table, row, i, this.#slots[i]), terms);
      return { terms, scale };
    };
  }

  missingColumns(columns: readonly number[]): MissingColumn[] {
    return columns.filter((i) => this.#own.has(i)).map((i) => this.#missing.get(i) ?? this.#describe(i));
  }

  #describe(i: number): MissingColumn {
    const column = missingAtoms(this.#model, i);
    const numbers = column.conditional.length + column.logConditional.length;
    return this.#missing.keep(i, column, numbers);
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
  const x = table.columns[i][row];
  // One component: q is the same for all classes and cancels, also where it is 0.
  const atom = components.length > 1 ? atomOf(atoms, i, table.columns[i], row) : -1;
  const linear = isLinear(classifier.schema.columns[i]);
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
