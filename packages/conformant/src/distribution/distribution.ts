import type { Gaussian, GaussianColumns } from "../gaussian/gaussian.ts";
import {
  type GaussianJson,
  readGaussian,
  readGaussianColumns,
  writeGaussian,
} from "../gaussian/gaussian-json.ts";
import { CompensatedSums } from "../math/compensated-sum.ts";
import { binOf } from "../math/search.ts";
import { logSumExp } from "../math/softmax.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import type { Schema } from "../schema/column.ts";
import type { Atoms } from "./atoms.ts";
import type { Certificate } from "./certificate.ts";

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

/**
 * The distribution of the inputs: a mixture of products that carries the class scores s_k(x) of its tilt,
 *
 *     P(x, k) = Σ_m π_m q_m(x) e^{s_k(x)} / Z_m
 *
 * With the scores of an additive classifier its P(k | x) is that classifier; with a flat tilt it is P(x) = Σ_m π_m q_m(x), and
 * all classes are alike. An *outcome* is a component and a class of the tilt; arrays over outcomes are M × K, `[m * K + k]`.
 */
export interface Distribution extends DistributionParts {
  readonly schema: Schema;
  readonly tilt: ClassTilt;
  /** A column that another factor describes has a single atom, which adds nothing. */
  readonly atoms: Atoms;
  readonly components: readonly Component[];
  /** The weight of the rows it was fitted on. */
  readonly rows: number;
  readonly pseudocount: number;
  readonly certificate: Certificate;
}

/** Completes a component from its weight, log q (of any scale per column, which is divided out) and its other factors. */
export function createComponent(
  tilt: ClassTilt,
  atoms: Atoms,
  { logWeight, logQ, ...parts }: Pick<Component, "logWeight" | "logQ"> & ComponentParts,
): Component {
  const K = tilt.intercept.length;
  const n = atoms.columns.length;
  const normalised = logQ.slice();
  const logZ = new Float64Array(n * K);
  const logits = new CompensatedSums(tilt.intercept);
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

/** What a model keeps of factors beside the atoms, a field per kind. Files and components know the kinds by this module alone. */
export interface DistributionParts {
  /** The numeric columns that a Gaussian describes, if any. */
  readonly gaussianColumns?: GaussianColumns;
}

/** What each of its components does. */
export interface ComponentParts {
  /** Its Gaussian over these columns, where there are any. */
  readonly gaussian?: Gaussian;
}

/** What several factors have, each in fields of its own, as one record. */
export function joinParts<T extends object>(parts: readonly T[]): Partial<T> {
  return Object.assign({}, ...parts) as Partial<T>;
}

/** log Z_k of each of a component's factors beside the atoms, K numbers each. */
export function logZOfParts({ gaussian }: ComponentParts): readonly Float64Array[] {
  return gaussian ? [gaussian.logZ] : [];
}

/** Positions of the columns that such factors describe. */
export function columnsOfParts({ gaussianColumns }: DistributionParts): ReadonlySet<number> {
  return new Set(gaussianColumns?.columns);
}

/** What a model file has of them. */
export interface ModelPartsInFile {
  /** Positions of the numeric columns that a Gaussian describes; absent where there are none. Since version 2. */
  readonly block?: readonly number[];
}

/** What it has of them in each component. */
export interface ComponentPartsInFile {
  readonly gaussian?: GaussianJson;
}

/** The first version of the model file that has these factors. */
export function versionOfParts({ gaussianColumns, components }: Distribution): number {
  if (components.some(({ gaussian }) => gaussian?.lowRank)) return 6;
  return gaussianColumns ? 2 : 1;
}

export function writeModelParts({ gaussianColumns }: DistributionParts): ModelPartsInFile {
  return gaussianColumns ? { block: [...gaussianColumns.columns] } : {};
}

export function writeComponentParts({ gaussian }: ComponentParts): ComponentPartsInFile {
  return gaussian ? { gaussian: writeGaussian(gaussian) } : {};
}

export function readModelParts(tilt: ClassTilt, json: ModelPartsInFile): DistributionParts {
  const gaussianColumns = readGaussianColumns(tilt, json.block);
  return gaussianColumns ? { gaussianColumns } : {};
}

/** @param m the position of the component */
export function readComponentParts(
  { gaussianColumns }: DistributionParts,
  m: number,
  json: ComponentPartsInFile,
): ComponentParts {
  return gaussianColumns ? { gaussian: readGaussian(gaussianColumns, m, json.gaussian) } : {};
}

/** What is made of a factor, by its kind. */
export interface ByKind<T> {
  /** @param columns positions of the columns that have atoms */
  readonly atoms: (model: Distribution, columns: readonly number[]) => T;
  /** @param gaussians one per component */
  readonly gaussian: (columns: GaussianColumns, gaussians: readonly Gaussian[]) => T;
}

/** Makes something of every factor of a model. The one place that knows which kinds questions meet. */
export function makeOfFactors<T>(model: Distribution, make: ByKind<T>): T[] {
  const { gaussianColumns, components, atoms } = model;
  const elsewhere = columnsOfParts(model);
  const apart = Array.from(atoms.columns.keys()).filter((i) => !elsewhere.has(i));
  const made = [make.atoms(model, apart)];
  if (gaussianColumns)
    made.push(
      make.gaussian(
        gaussianColumns,
        components.flatMap(({ gaussian }) => gaussian ?? []),
      ),
    );
  return made;
}

/** A missing column with finitely many values and what it may be. */
export interface MissingColumn {
  /** Position in the schema. */
  readonly index: number;
  /** Number of values. */
  readonly count: number;
  /** The cell of value v: the number that represents it, or its code. */
  readonly cellOf: (v: number) => number;
  /** The value that a known cell is, or falls into. */
  readonly codeOf: (cell: number) => number;
  /** P_m(v | k): values × M × K, `conditional[v * M * K + m * K + k]`. */
  readonly conditional: Float64Array;
  /** Its logarithm, in the same layout. */
  readonly logConditional: Float64Array;
}

/** A sum whose logarithm is this near 0 is 1 up to rounding. */
const NORMAL = 1e-12;

/** P_m(v | k) = q_m(v) e^{s_k(v)} / Z_mk for all atoms v of a column. */
export function missingAtoms({ atoms, components, tilt }: Distribution, index: number): MissingColumn {
  const K = tilt.intercept.length;
  const outcomes = components.length * K;
  const { count, values, edges } = atoms.columns[index];
  const logConditional = new Float64Array(count * outcomes);
  components.forEach((component, m) => {
    for (let v = 0; v < count; v++) {
      for (let k = 0; k < K; k++) {
        const atom = atoms.offsets[index] + v;
        logConditional[v * outcomes + m * K + k] = logAtomGivenClass(atoms, component, index, atom, k);
      }
    }
  });
  normalise(logConditional, count, outcomes);
  const cellOf = (v: number): number => values?.[v] ?? v;
  const codeOf = (cell: number): number => (edges ? binOf(edges, cell) : cell);
  return { index, count, cellOf, codeOf, conditional: logConditional.map(Math.exp), logConditional };
}

/** Beside large scores log q − log Z loses its digits, and what was a distribution need not sum to 1. */
function normalise(logConditional: Float64Array, count: number, outcomes: number): void {
  const logs = new Float64Array(count);
  for (let a = 0; a < outcomes; a++) {
    for (let v = 0; v < count; v++) logs[v] = logConditional[v * outcomes + a];
    const logSum = logSumExp(logs);
    if (Math.abs(logSum) > NORMAL) for (let v = 0; v < count; v++) logConditional[v * outcomes + a] -= logSum;
  }
}
