import type { Classifier } from "../classifier/classifier.ts";
import { CompensatedSums } from "../math/compensated-sum.ts";
import { logSumExp } from "../math/exponential/log-sum-exp.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";
import type { Atoms } from "./atoms.ts";
import type { Certificate } from "./certificate.ts";
import { type ComponentParts, logZOfParts, type ModelParts } from "./factor-parts.ts";

/**
 * One conformant distribution, P(x, k) = Π_f q_f(x_f) · exp( b_k + Σ_i s_ki(x_i) ) / Z, with its weight in the mixture: a
 * product of factors, the atoms of each column and what the model has beside them. Everything but the parameters of the factors
 * and the weight follows from the classifier.
 */
export interface Component extends ComponentParts {
  /** log π of the component. */
  readonly logWeight: number;
  /** log q per atom, Σ q = 1 in each column. */
  readonly logQ: Float64Array;
  /** log Z_ki = log Σ_v q_i(v) e^{s_ki(v)}: columns × K, `logZ[i * K + k]`. What a gap in column i is worth to class k. */
  readonly logZ: Float64Array;
  /** log P(k) of the component, K numbers. */
  readonly logPrior: Float64Array;
  /** log Z = log Σ_k exp( b_k + Σ_f log Z_kf ). */
  readonly logNormaliser: number;
}

/** A distribution over rows and classes that conforms with the classifier; one component is the paper's method. */
export interface Model extends ModelParts {
  readonly classifier: Classifier;
  /** Trees that answer complete rows in place of the classifier, which then has no weights. */
  readonly trees?: TreeClassifier;
  /** A column that another factor describes has a single atom, which is worth nothing. */
  readonly atoms: Atoms;
  readonly components: readonly Component[];
  /** The weight of the rows it was fitted on. */
  readonly rows: number;
  readonly pseudocount: number;
  readonly certificate: Certificate;
}

/** Completes a component from its weight, log q (of any scale per column, which is divided out) and its other factors. */
export function createComponent(
  classifier: Classifier,
  atoms: Atoms,
  { logWeight, logQ, ...parts }: Pick<Component, "logWeight" | "logQ"> & ComponentParts,
): Component {
  const K = classifier.classes.length;
  const n = atoms.columns.length;
  const normalised = Float64Array.from(logQ);
  const logZ = new Float64Array(n * K);
  const logits = new CompensatedSums(classifier.intercept);
  for (let i = 0; i < n; i++) {
    const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
    normaliseLogs(normalised, start, end);
    // Without scores Z is Σ q = 1 for every class: its rounding must not be a difference between answers.
    if (isFlat(atoms.scores, start * K, end * K)) continue;
    for (let k = 0; k < K; k++) {
      logZ[i * K + k] = logTilted(normalised, atoms.scores, start, end, K, k);
      logits.add(k, logZ[i * K + k]);
    }
  }
  for (const own of logZOfParts(parts)) for (let k = 0; k < K; k++) logits.add(k, own[k]);
  const logPrior = Float64Array.from({ length: K }, (_, k) => logits.get(k));
  const logNormaliser = logSumExp(logPrior);
  normaliseLogs(logPrior);
  return { logWeight, logQ: normalised, logZ, logPrior, logNormaliser, ...parts };
}

/** log P(v | k) = log q(v) + s_k(v) − log Z_k of an atom of column i: what a known value says about class k. */
export function logAtomGivenClass(
  { scores }: Atoms,
  { logQ, logZ, logPrior: { length: K } }: Pick<Component, "logQ" | "logZ" | "logPrior">,
  i: number,
  atom: number,
  k: number,
): number {
  return logQ[atom] + scores[atom * K + k] - logZ[i * K + k];
}

/**
 * Makes logarithms those of numbers that sum to 1. Relative to the largest first: beside a large one the logarithm of the sum
 * would be lost. What is normalised to rounding already stays as it is, so that a model read from a file keeps every bit.
 */
function normaliseLogs(logs: Float64Array, start = 0, end = logs.length): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (let j = start; j < end; j++) if (logs[j] > largest) largest = logs[j];
  let sum = 0;
  for (let j = start; j < end; j++) sum += logs[j] === largest ? 1 : Math.exp(logs[j] - largest);
  const logRest = Math.log(sum);
  if (Math.abs(largest + logRest) <= 1e-14) return;
  for (let j = start; j < end; j++) logs[j] = logs[j] - largest - logRest;
}

function isFlat(scores: Float64Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (scores[at] !== 0) return false;
  return true;
}

/** log Σ_j q_j e^{s_kj} over the atoms of one column. */
function logTilted(
  logQ: Float64Array,
  scores: Float64Array,
  start: number,
  end: number,
  K: number,
  k: number,
): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let j = start; j < end; j++) largest = Math.max(largest, logQ[j] + scores[j * K + k]);
  let sum = 0;
  for (let j = start; j < end; j++) {
    const x = logQ[j] + scores[j * K + k];
    sum += x === largest ? 1 : Math.exp(x - largest);
  }
  return largest + Math.log(sum);
}
