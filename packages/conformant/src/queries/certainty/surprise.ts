import { ConformantError, requireInteger, requireList, requireOrdered, show } from "../../errors.ts";
import { hiddenNumber, pickNormals } from "../../factors/hidden-normals.ts";
import { logSumExp } from "../../math/exponential/log-sum-exp.ts";
import { integrate } from "../../math/integrate.ts";
import type { Model } from "../../model/model.ts";
import { logJointOfRow, logPriors } from "../../posterior/log-joint.ts";
import { gapLike, isGapCell, type Row, type Table } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { type CompletionSpace, completionSpace, sizeOf } from "../completion/completion-space.ts";
import { logDensityOf, massAbove } from "../completion/normals/level-share.ts";
import { normalBreaks } from "../completion/normals/normal-breaks.ts";
import type { NormalMixture } from "../completion/normals/normal-mixture.ts";
import { enumerateJoint } from "../completion/visit-completions.ts";
import { type Estimate, exactly, sampleShare } from "../terms/estimate.ts";
import { encodeRow, type QueryOptions } from "../terms/query-input.ts";
import {
  type ComparedRows,
  comparedRows,
  drawsToCompare,
  logEvidenceOf,
  valuesToCompare,
} from "./compared-rows.ts";

/** What a row is compared with. */
export interface SurpriseOptions extends QueryOptions, WatchOptions {
  /** log P(y) of rows with the same columns known, to compare with instead of rows drawn from the model. */
  readonly reference?: ArrayLike<number>;
  /** How many rows are drawn from the model. Default 2000. */
  readonly samples?: number;
  /** Default 0. */
  readonly seed?: number;
}

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
 */
export function surprise(model: Model, row: Row, options: SurpriseOptions = {}): Surprise {
  const watch = new Watch(options, "drawing");
  const { reference, samples = 2000, seed = 0 } = options;
  requireInteger("options.samples", samples, 1);
  const table = encodeRow(model, row, options);
  const anything = completionSpace(model, { ...table, columns: table.columns.map(gapLike) }, 0);
  const space = knownPart(anything, table);
  const numbers = space.normals.columns.length;
  const own =
    numbers === 0
      ? logEvidenceOf(space, knownValues(space, table))
      : logSumExp(logJointOfRow(model, table, 0));
  if (reference !== undefined) return fromReference(own, reference);
  if (numbers === 1 && sizeOf(space.missing) <= ENUMERATE_WITH_NUMBER)
    return surpriseWithNumber(space, own, watch);
  const draws = { samples, seed, watch };
  return among(
    own,
    comparedRows(table, draws, model, () =>
      numbers === 0 ? valuesToCompare(space, draws) : drawsToCompare(anything, table, draws),
    ),
  );
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
  const { means, deviations } = hiddenNumber(space.normals, 0);
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
  const known = (i: number): boolean => !isGapCell(table.columns[i], 0);
  const missing = space.missing.filter(({ index }) => known(index));
  const normals = pickNormals(space.normals, known);
  const size = normals.columns.length > 0 ? Number.POSITIVE_INFINITY : sizeOf(missing);
  return { ...space, posterior: logPriors(space.model).map(Math.exp), missing, normals, size };
}

/** The values of the known columns of a row. */
function knownValues({ missing }: CompletionSpace, table: Table): Int32Array {
  return Int32Array.from(missing, ({ index, codeOf }) => codeOf(table.columns[index][0]));
}

function fromReference(own: number, reference: ArrayLike<number>): Surprise {
  requireList("options.reference", reference);
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
