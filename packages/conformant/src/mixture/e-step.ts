import type { Atoms } from "../distribution/atoms.ts";
import { type Component, joinParts, logAtomGivenClass } from "../distribution/distribution.ts";
import type { FactorExpectation, FactorSums } from "../gaussian/factor-in-fit.ts";
import type { ManyRowsContext } from "../gaussian/many-rows.ts";
import { type Batch, passOver } from "../kernels/packed-passes.ts";
import { LOG_IMPOSSIBLE } from "../math/softmax.ts";
import { addSums } from "../math/sum-records.ts";
import { type FactorFrames, factorsInFit } from "./mixture-problem.ts";
import type { AtomRows, SplitRows } from "./packed-rows.ts";

/** What the M-step needs to know of the rows: sums over them. */
export interface Expectation extends FactorSums {
  /** Σ weight · log P(y), over the known columns of each row. */
  readonly logLikelihood: number;
  /** The weight of the rows that fall to each component, M numbers. */
  readonly componentWeights: Float64Array;
  /** Expected counts of the atoms, M × atoms; gaps count by what the component makes of them. */
  readonly counts: readonly Float64Array[];
}

/**
 * The E-step: how much of each row every component accounts for, r_m(y) = P(m | y), and the expected counts of the atoms
 * that follow. Only the known columns of a row are looked at.
 */
export function expectation(
  atoms: Atoms,
  intercept: Float64Array,
  components: readonly Component[],
  rows: SplitRows,
  context: ManyRowsContext,
): Expectation {
  if (rows.incomplete.weights.length === 0) return completeRows(components, rows, context);
  const incomplete = incompleteRows(atoms, intercept, components, rows, context);
  if (rows.complete.weights.length === 0) return incomplete;
  return addSums(completeRows(components, rows, context), incomplete);
}

/** The parts of the step that fall to the factors beside the atoms. */
function otherParts(
  components: readonly Component[],
  { cells }: AtomRows,
  frames: FactorFrames,
  context: ManyRowsContext,
): FactorExpectation[] {
  return factorsInFit(frames).map((factor, f) => factor.expect(components, cells[f], context));
}

function otherSums(parts: readonly FactorExpectation[], weights: Float64Array): FactorSums {
  return joinParts(parts.map((part) => part.sums(weights)));
}

/** The sums of other factors over complete rows that one component has all of. */
const sumsOfAll = new WeakMap<AtomRows, FactorSums>();

/**
 * Rows without gaps: log P(m, x) = log π_m − log Z_m + Σ_f log q_mf(x_f) + log Σ_k exp( b_k + Σ_i s_ki(x_i) ), of which the
 * last is the same for all components and steps: M scores per row.
 */
function completeRows(
  components: readonly Component[],
  { complete: rows, logClassScores, frames }: SplitRows,
  context: ManyRowsContext,
): Expectation {
  const [M, A] = [components.length, components[0].logQ.length];
  const weights = new Float64Array(A * M);
  components.forEach(({ logQ }, m) => {
    for (let j = 0; j < A; j++) weights[j * M + m] = Math.max(logQ[j], LOG_IMPOSSIBLE);
  });
  const constants = Float64Array.from(components, (c) => c.logWeight - c.logNormaliser);
  const others = otherParts(components, rows, frames, context);
  // A single component has all of every row, so that its sums are the same at every step.
  const before = M === 1 ? sumsOfAll.get(rows) : undefined;
  let logLikelihood = logClassScores;
  const { counts, totals } = passOver(rows.packed, weights, constants, context, (batch) => {
    eachRow(batch, (at, r) => {
      for (const other of others) other.addDensities(batch.scores, at, r);
    });
    logLikelihood += shareRows(batch, rows.weights);
    if (before) return;
    eachRow(batch, (at, r) => {
      for (const other of others) other.addRow(batch.scores, at, r);
    });
  });
  const sums = before ?? otherSums(others, totals);
  if (M === 1) sumsOfAll.set(rows, sums);
  return {
    logLikelihood,
    componentWeights: totals,
    counts: components.map((_, m) => {
      const own = new Float64Array(A);
      for (let j = 0; j < A; j++) own[j] = counts[j * M + m];
      return own;
    }),
    ...sums,
  };
}

/**
 * Rows with gaps: log P(m, k, y) = log π_m − log Z_m + b_k + Σ_known ( s_ki(y_i) + log q_mi(y_i) ) + Σ_missing log Z_mki,
 * M·K scores per row. A missing column counts with P(v | y, m) = Σ_k P(k | y, m) P_m(v | k). Of a row whose class is known only that one
 * is possible; a complete row tells the components nothing by its class, which the classifier alone decides.
 */
function incompleteRows(
  atoms: Atoms,
  intercept: Float64Array,
  components: readonly Component[],
  { incomplete: rows, frames }: SplitRows,
  context: ManyRowsContext,
): Expectation {
  const [M, K, n] = [components.length, intercept.length, atoms.columns.length];
  const outputs = M * K;
  const [weights, constants] = [
    incompleteWeights(atoms, components, K),
    incompleteConstants(components, intercept),
  ];
  const others = otherParts(components, rows, frames, context);
  let logLikelihood = 0;
  const { counts: slotCounts, totals } = passOver(rows.packed, weights, constants, context, (batch) => {
    eachRow(batch, (at, r) => {
      for (const other of others) other.addScores(batch.scores, at, r);
      const known = rows.classes?.[r] ?? -1;
      if (known >= 0)
        for (let j = 0; j < outputs; j++)
          if (j % K !== known) batch.scores[at + j] = Number.NEGATIVE_INFINITY;
    });
    logLikelihood += shareRows(batch, rows.weights);
    eachRow(batch, (at, r) => {
      for (const other of others) other.addIncompleteRow(batch.scores, at, r);
    });
  });
  const sumClasses = (numbers: Float64Array, at: number): number => {
    let sum = 0;
    for (let k = 0; k < K; k++) sum += numbers[at + k];
    return sum;
  };
  const counts = components.map((component, m) => {
    const own = new Float64Array(component.logQ.length);
    for (let i = 0; i < n; i++) {
      const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
      for (let j = start; j < end; j++) own[j] = sumClasses(slotCounts, (j + i) * outputs + m * K);
      for (let k = 0; k < K; k++) {
        const gaps = slotCounts[(end + i) * outputs + m * K + k];
        if (gaps === 0) continue; // most columns have a value in every row
        for (let j = start; j < end; j++)
          own[j] += gaps * Math.exp(logAtomGivenClass(atoms, component, i, j, k));
      }
    }
    return own;
  });
  const componentWeights = Float64Array.from(components, (_, m) => sumClasses(totals, m * K));
  return {
    logLikelihood,
    componentWeights,
    counts,
    ...otherSums(others, componentWeights),
  };
}

/** Slots × (M·K): s_k + log q_m for an atom, log Z_mki for the gap at the end of column i. */
function incompleteWeights(atoms: Atoms, components: readonly Component[], K: number): Float64Array {
  const outputs = components.length * K;
  const n = atoms.columns.length;
  const weights = new Float64Array((atoms.offsets[n] + n) * outputs);
  components.forEach(({ logQ, logZ }, m) => {
    for (let i = 0; i < n; i++) {
      const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
      for (let k = 0; k < K; k++) {
        for (let j = start; j < end; j++)
          weights[(j + i) * outputs + m * K + k] =
            Math.max(logQ[j], LOG_IMPOSSIBLE) + atoms.scores[j * K + k];
        weights[(end + i) * outputs + m * K + k] = logZ[i * K + k];
      }
    }
  });
  return weights;
}

function incompleteConstants(components: readonly Component[], intercept: Float64Array): Float64Array {
  return Float64Array.from(
    components.flatMap(({ logWeight, logNormaliser }) =>
      Array.from(intercept, (b) => logWeight - logNormaliser + b),
    ),
  );
}

/** A share below this is lost in the rounding of any count. */
const NEGLIGIBLE = 1e-18;

/** Calls back for each row of a batch, with where its scores begin. */
function eachRow({ line, from, to }: Batch, visit: (at: number, row: number) => void): void {
  for (let r = from, at = 0; r < to; r++, at += line) visit(at, r);
}

/**
 * Turns the scores of a batch into shares of the weights of its rows, and returns Σ weight · log Σ exp of them. Negligible shares become 0,
 * which the way back through the rows can skip.
 */
function shareRows({ scores, line, from, to, kernels, work }: Batch, weights: Float64Array): number {
  const [own, largest, sums] = work.map((room) => room.subarray(0, to - from));
  own.set(weights.subarray(from, to));
  kernels.shareRows(scores, line, own, NEGLIGIBLE, { largest, sums });
  let logLikelihood = 0;
  for (let r = 0; r < own.length; r++) logLikelihood += own[r] * (largest[r] + Math.log(sums[r]));
  return logLikelihood;
}
