import { BoundedCache, memoize } from "../cache.ts";
import {
  type CompletionSpace,
  completionSpace,
  eachCell,
  logJointOfRow,
  logPriors,
  sizeOf,
} from "../distribution/completion-space.ts";
import {
  drawCompletions,
  enumerateCompletions,
  enumerateJoint,
  type VisitCompletion,
} from "../distribution/completions.ts";
import { ConformantError, requireMade, requireOrdered, show } from "../errors.ts";
import { missingNumber, pickNormals } from "../gaussian/condition.ts";
import { integrate } from "../math/integrate.ts";
import { logDensityOf, massAbove, type NormalMixture, normalBreaks } from "../math/normal-mixture.ts";
import { binOf } from "../math/search.ts";
import { logSumExp } from "../math/softmax.ts";
import { expectationOf } from "../model/kinds.ts";
import { type AnyModel, type Model, requireClasses } from "../model/model.ts";
import { integer, numbers, type OptionsOf, readOptions } from "../options.ts";
import { type Estimate, exactly, sampleShare } from "../predictors/estimate.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { byName, isMissingCell, missingLike, type Row, type Table } from "../schema/data.ts";
import { cellsOfRow } from "../schema/read-row.ts";
import { encodeRow, type QueryOptions, queryOptions } from "./row-input.ts";

/** What a row is compared with. */
export interface SurpriseOptions extends QueryOptions, WatchOptions {
  /** log P(y) of rows with the same columns known, to compare with instead of rows drawn from the model. */
  readonly reference?: ArrayLike<number> | undefined;
  /** How many rows are drawn from the model. Default 2000. */
  readonly samples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

const surpriseOptions = {
  ...queryOptions,
  ...watchOptions,
  reference: numbers(undefined),
  samples: integer(2000, { least: 1 }),
  seed: integer(0),
} satisfies OptionsOf<SurpriseOptions>;

/** How unusual the known part of a row is. */
export interface Surprise {
  /** log P(y). */
  readonly logEvidence: number;
  /** The mean of log P(y) over the rows it is compared with. */
  readonly expected: number;
  /** The share of rows, with the same columns known, that are no more likely than this one: near 0 is unlike the data. */
  readonly share: Estimate;
}

/** Differences of log P(y) below this count as none. */
const ROUNDING = 1e-9;
/** Up to this many rows are enumerated where a normal number is known beside them, for which the densities of each row have to be followed. */
const ENUMERATE_WITH_NUMBER = 64;
/** The tolerance of an expectation that is an integral, and bounds that close are one number. */
const [INTEGRAL, CLOSE] = [1e-10, 1e-10];

/**
 * Compares log P(y) with that of other rows in which the same columns are known. A model holds no row it was fitted on, and
 * log P(y) depends on which columns are known; so the rows to compare with are those of the model itself, whose column
 * distributions are those of the training data, restricted to the known columns. With few possible rows this is exact, also
 * where one normal number is among what is known; else the rows are drawn.
 *
 *     surprise(model, { age: 140 }).share.value; // 0.001
 */
export function surprise(model: AnyModel, row: Row, options: SurpriseOptions = {}): Surprise {
  requireMade("model", model);
  const read = readOptions(options, surpriseOptions);
  const watch = new Watch(read, "drawing");
  const { reference, samples, seed } = read;
  const table = encodeRow(model, row, read);
  const anything = completionSpace(model, { ...table, columns: table.columns.map(missingLike) }, 0);
  const space = knownPart(anything, table);
  const numbers = space.normals.columns.length;
  const own =
    numbers === 0
      ? logEvidenceOf(space, knownValues(space, table))
      : logSumExp(logJointOfRow(model, table, 0));
  return { ...compare(own + logBeyondData(space, table)), logEvidence: own };

  function compare(logEvidence: number): Surprise {
    if (reference !== undefined) return fromReference(logEvidence, reference);
    if (numbers === 1 && sizeOf(space.missing) <= ENUMERATE_WITH_NUMBER)
      return surpriseWithNumber(space, logEvidence, watch);
    const draws = { samples, seed, watch };
    return among(
      logEvidence,
      comparedRows(table, draws, model, () =>
        numbers === 0 ? valuesToCompare(space, draws) : drawsToCompare(anything, table, draws),
      ),
    );
  }
}

/**
 * The logarithm of the share of an outermost bin's rows that can be as far out as the numbers of this row are, summed over the columns; 0
 * where these may be among the data. A bin keeps the mean of its numbers alone: where n of them are d from its edge on average,
 * none is further than n·d, and no more than a share d / distance of them is as far out (Markov's inequality).
 */
function logBeyondData({ distribution, posterior, missing }: CompletionSpace, table: Table): number {
  let sum = 0;
  for (const { index, conditional } of missing) {
    const { values, edges } = distribution.atoms.columns[index];
    if (!values || !edges) continue;
    const x = table.columns[index][0];
    const bin = binOf(edges, x);
    const outside = (bin === 0 && x < values[0]) || (bin === edges.length && x > values[bin]);
    if (!outside) continue;
    // A column of one value has no edge, and nothing beside that value is among the data.
    const edge = edges.length === 0 ? values[0] : edges[bin === 0 ? 0 : bin - 1];
    const [average, distance] = [Math.abs(values[bin] - edge), Math.abs(x - edge)];
    const share = posterior.reduce((all, p, a) => all + p * conditional[bin * posterior.length + a], 0);
    if (distance > (1 + distribution.rows * share) * average) sum += Math.log(average / distance);
  }
  return sum;
}

/** Where the rows to compare with are listed. */
function among(own: number, { logEvidence, weights, samples }: ComparedRows): Surprise {
  let [share, expected] = [0, 0];
  for (let j = 0; j < logEvidence.length; j++) {
    expected += weights[j] * logEvidence[j];
    if (logEvidence[j] <= own + ROUNDING) share += weights[j];
  }
  const rounded = Math.min(1, share);
  return {
    logEvidence: own,
    expected,
    share: samples === undefined ? exactly(rounded) : sampleShare(rounded, samples),
  };
}

/**
 * Where one normal number is known: for each way the other known columns may be, log P(y) is that of a sum of normal densities
 * of the number, N(μ_mk, σ_m²) weighted by P(m, k, values).
 */
function surpriseWithNumber(space: CompletionSpace, own: number, watch: Watch): Surprise {
  const { means, deviations } = missingNumber(space.normals, 0);
  const rows = sizeOf(space.missing);
  let [expected, lower, upper, seen] = [0, 0, 0, 0];
  enumerateJoint(space, (_, joint) => {
    watch.step(seen++ / rows);
    const outcomes = Array.from(joint.keys()).filter((a) => joint[a] > 0);
    if (outcomes.length === 0) return;
    const mixture = {
      weights: Float64Array.from(outcomes, (a) => joint[a]),
      means: Float64Array.from(outcomes, (a) => means[a]),
      standardDeviations: Float64Array.from(outcomes, (a) => deviations[Math.floor(a / space.K)]),
    };
    const breaks = normalBreaks(mixture.means, mixture.standardDeviations);
    const above = massAbove(mixture, own + ROUNDING, breaks);
    lower += above.lower;
    upper += above.upper;
    expected += integrate((x) => entropyAt(mixture, x), breaks, INTEGRAL).value;
  });
  const [least, most] = [Math.max(0, 1 - upper), Math.min(1, Math.max(0, 1 - lower))];
  const value = (least + most) / 2;
  const share: Estimate =
    most - least <= CLOSE ? exactly(value) : { value, lower: least, upper: most, method: "grid" };
  return { logEvidence: own, expected, share };
}

/** f log f. */
function entropyAt(mixture: NormalMixture, x: number): number {
  const log = logDensityOf(mixture, x);
  return log === Number.NEGATIVE_INFINITY ? 0 : Math.exp(log) * log;
}

/** The known columns as if they were the missing ones of an empty row, whose posterior is the prior P(m, k). */
function knownPart(space: CompletionSpace, table: Table): CompletionSpace {
  const known = (i: number): boolean => !isMissingCell(table.columns[i], 0);
  const missing = space.missing.filter(({ index }) => known(index));
  const normals = pickNormals(space.normals, known);
  const size = normals.columns.length > 0 ? Number.POSITIVE_INFINITY : sizeOf(missing);
  return { ...space, posterior: logPriors(space.distribution).map(Math.exp), missing, normals, size };
}

/** The values of the known columns of a row. */
function knownValues({ missing }: CompletionSpace, table: Table): Int32Array {
  return Int32Array.from(missing, ({ index, codeOf }) => codeOf(table.columns[index][0]));
}

function fromReference(own: number, reference: ArrayLike<number>): Surprise {
  for (let j = 0; j < reference.length; j++) requireOrdered(`options.reference[${j}]`, reference[j]);
  if (reference.length === 0) {
    const message = `options.reference must have at least one number, got ${show(reference)}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.reference",
      value: reference,
    });
  }
  let [count, expected] = [0, 0];
  for (let j = 0; j < reference.length; j++) {
    expected += reference[j] / reference.length;
    if (reference[j] <= own + ROUNDING) count++;
  }
  return { logEvidence: own, expected, share: sampleShare(count / reference.length, reference.length) };
}

/** The rows that a row is compared with. */
export interface ComparedRows {
  /** log P(y) of each, over the columns that the row knows. */
  readonly logEvidence: Float64Array;
  /** The share of each. */
  readonly weights: Float64Array;
  /** How many were drawn; undefined where these are all there are. */
  readonly samples: number | undefined;
}

/** How many rows are drawn, and who watches. */
interface Draws {
  readonly samples: number;
  readonly seed: number;
  readonly watch: Watch;
}

/** Up to this many rows are enumerated rather than drawn. */
const ENUMERATE = 16384;
/** Numbers of rows to compare with that a model remembers, 16 MB at most: enough for the patterns of gaps of most data. */
const KEPT = 1 << 21;

const remembered = new WeakMap<AnyModel, BoundedCache<string, ComparedRows>>();

/** The rows to compare a row with: the same for all that know the same columns, so that they are made once. */
export function comparedRows(
  { columns }: Table,
  { samples, seed, watch }: Draws,
  model: AnyModel,
  make: () => ComparedRows,
): ComparedRows {
  const known = memoize(remembered, model, () => new BoundedCache<string, ComparedRows>(KEPT));
  const key = `${samples} ${seed} ${columns.map((cells) => (isMissingCell(cells, 0) ? "?" : "x")).join("")}`;
  const found = known.get(key);
  if (found) {
    watch.step(1);
    return found;
  }
  const made = make();
  return known.keep(key, made, 2 * made.weights.length);
}

/** Where no normal number is known: all rows there are, or draws of them. */
export function valuesToCompare(space: CompletionSpace, draws: Draws): ComparedRows {
  const visitAll = (visit: VisitCompletion): void =>
    space.size <= ENUMERATE
      ? enumerateCompletions(space, visit, draws.watch)
      : drawCompletions(space, draws.samples, draws.seed, visit, draws.watch);
  return list(
    visitAll,
    (atoms) => logEvidenceOf(space, atoms),
    space.size <= ENUMERATE ? undefined : draws.samples,
  );
}

/** Where several normal numbers are known, whose rows cannot be enumerated: rows drawn from the model, seen through the same gaps. */
export function drawsToCompare(space: CompletionSpace, table: Table, draws: Draws): ComparedRows {
  const other = { ...table, columns: table.columns.map(missingLike) };
  return list(
    (visit) => drawCompletions(space, draws.samples, draws.seed, visit, draws.watch),
    (atoms, numbers) => {
      eachCell(space, atoms, numbers, (i, cell) => {
        if (!isMissingCell(table.columns[i], 0)) other.columns[i][0] = cell;
      });
      return logSumExp(logJointOfRow(space.distribution, other, 0));
    },
    draws.samples,
  );
}

function list(
  visitAll: (visit: VisitCompletion) => void,
  logEvidenceAt: (atoms: Int32Array, numbers: Float64Array) => number,
  samples: number | undefined,
): ComparedRows {
  const logEvidence: number[] = [];
  const weights: number[] = [];
  visitAll((atoms, weight, numbers) => {
    if (weight === 0) return; // a row that cannot occur: 0 · log 0 is 0
    logEvidence.push(logEvidenceAt(atoms, numbers));
    weights.push(weight);
  });
  return { logEvidence: Float64Array.from(logEvidence), weights: Float64Array.from(weights), samples };
}

/** log Σ_mk P(m, k) Π_i P_m(x_i | k), from logarithms: a class may be too unlikely for a number and yet what a row is of. */
export function logEvidenceOf({ distribution, missing }: CompletionSpace, atoms: Int32Array): number {
  const joint = logPriors(distribution);
  for (let j = 0; j < missing.length; j++) {
    const at = atoms[j] * joint.length;
    for (let a = 0; a < joint.length; a++) joint[a] += missing[j].logConditional[at + a];
  }
  return logSumExp(joint);
}

/**
 * log P(y, k) per class, for the known columns of a row. Numbers count by the atom they fall into, so this is the
 * logarithm of a probability; only the numbers of a Gaussian count by their density.
 */
export function logJoint(model: Model, row: Row, options: QueryOptions = {}): Record<string, number> {
  requireClasses(model, "logJoint");
  const table = encodeRow(model, row, readOptions(options, queryOptions));
  const expectation = expectationOf(model);
  const ofOutcomes = logJointOfRow(model, table, 0);
  if (expectation.isPosterior) return byName(model.response.outputs, ofOutcomes);
  const logEvidence = logSumExp(ofOutcomes);
  const { values } = expectation.expect(cellsOfRow(table, 0));
  return byName(
    model.response.outputs,
    values.map((p) => logEvidence + Math.log(p)),
  );
}

/**
 * log P(y): how likely the known columns of a row are, whatever the class. Low values mean a row unlike the data.
 *
 *     logEvidence(model, { age: 40 }); // -3.2
 */
export function logEvidence(model: AnyModel, row: Row, options: QueryOptions = {}): number {
  return logSumExp(logJointOfRow(model, encodeRow(model, row, readOptions(options, queryOptions)), 0));
}
