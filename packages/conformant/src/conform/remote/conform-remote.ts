import type { Classifier } from "../../classifier/classifier.ts";
import {
  ConformantError,
  requireFunction,
  requireInteger,
  requireMade,
  requireNumber,
  requireOptions,
} from "../../errors.ts";
import { scaleSums } from "../../math/add-sums.ts";
import { type Atoms, type ColumnAtoms, createAtoms } from "../../model/atoms.ts";
import type { ChoiceOfMixture } from "../../model/certificate.ts";
import type { Component, Model } from "../../model/model.ts";
import type { Data } from "../../schema/data.ts";
import { readWeightedRows, type WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import type { BlockFrame } from "../block/block-frame.ts";
import type { Answering } from "../choosing/answering.ts";
import { mixtureModel } from "../choosing/conform-mixture.ts";
import { fitChosen } from "../choosing/fit-chosen.ts";
import type { MixtureOptions } from "../choosing/mixture-options.ts";
import type { FactorInFit } from "../factors/factor-in-fit.ts";
import { splitRows } from "../mixture/atom-rows.ts";
import { checkFit, rejectFit } from "../mixture/check-fit.ts";
import { em } from "../mixture/em/em.ts";
import { EmProgress } from "../mixture/em/em-progress.ts";
import { type Expectation, expectation } from "../mixture/em/expectation.ts";
import { type FactorFrames, factorsInFit, framesIn } from "../mixture/factors-in-fit.ts";
import type { FittedRows } from "../mixture/fit-rows.ts";
import type { MixtureSettings } from "../mixture/mixture-settings.ts";
import type { Seeds } from "../mixture/seeding.ts";
import { tiltAtoms } from "../naive/tilts.ts";

/** Options of {@link startMixture}. */
export interface StartOptions extends MixtureOptions {
  /** Steps over all rows at most; the sample's fit leaves little to do. Default 10. */
  readonly passes?: number;
}

/** Where the EM steps over rows that stay elsewhere begin. Plain numbers: it can be written to a file and read back. */
export interface MixtureStart extends FactorFrames, Seeds {
  /** The atoms of each column. */
  readonly atoms: readonly ColumnAtoms[];
  /** Shares of the atoms in their column, what components are shrunk towards. */
  readonly overall: Float64Array;
  /** The weight of all rows. */
  readonly totalWeight: number;
  /** M, as asked for. */
  readonly components: number;
  readonly settings: MixtureSettings;
  /** What the sample's fit gained: the measure of a small gain. */
  readonly gainedBefore: number;
  /** How size and kind were chosen, where they were. */
  readonly choice?: ChoiceOfMixture;
}

/**
 * Answers an expectation step: what all rows make of the components. Where the start has a `frame`, the answer has the moments
 * of its block, too.
 */
export type Answer = (
  components: readonly Component[],
  atoms: Atoms,
  frame?: BlockFrame,
) => Expectation | Promise<Expectation>;

/**
 * The number of components, what describes numeric columns and a first fit, from a sample of the rows; {@link conformRemote}
 * goes on from there over all of them.
 *
 * @param totalWeight the weight of all rows, of which the sample is a part
 * @param answering what the choice is judged by; default: the classifier
 */
export function startMixture(
  classifier: Classifier,
  sample: Data,
  totalWeight: number,
  options: StartOptions = {},
  answering?: Answering,
): MixtureStart {
  requireMade("classifier", classifier);
  requireOptions(options);
  requireNumber("totalWeight", totalWeight, 0);
  const rows = readWeightedRows(classifier.schema, sample, options);
  if (!(totalWeight > 0) || rows.rows.length === 0) {
    const message = `a mixture needs rows to learn from, got ${rows.rows.length} with a total weight of ${totalWeight}`;
    throw new ConformantError("empty-data", message);
  }
  const fitted = fitChosen(classifier, rows, options, answering);
  checkFit(fitted);
  const { atoms, overall, components, settings } = fitted.problem;
  const { objective } = fitted.best;
  const { logLikelihood, componentWeights, counts, ...sums } = sampleExpectation(fitted, rows, totalWeight);
  if (!counts.every((own) => own.every(Number.isFinite))) rejectFit(fitted.problem);
  return {
    atoms: atoms.columns,
    overall,
    counts: counts.map((own) => own.map((count) => Math.max(0, count))), // sums may be less than 0 by their rounding
    ...framesIn(fitted.problem),
    ...sums,
    totalWeight,
    components,
    settings: { ...settings, maxSteps: requireInteger("options.passes", options.passes ?? 10, 1) },
    gainedBefore: objective[objective.length - 1] - objective[0],
    ...(fitted.choice && { choice: fitted.choice }),
  };
}

/**
 * A mixture of rows that stay where they are, in files, in a database or on a cluster: EM goes on from the start, and `answer`
 * says at each step what the rows make of the components. Neither rows nor anything of their number is kept here.
 */
export async function conformRemote(
  classifier: Classifier,
  start: MixtureStart,
  answer: Answer,
  options: WatchOptions = {},
): Promise<Model> {
  requireMade("classifier", classifier);
  requireMade("start", start);
  requireFunction("answer", answer);
  const watch = new Watch(options, "fitting");
  const { choice, ...asked } = start;
  const atoms = createAtoms(classifier, start.atoms);
  const tilted = tiltAtoms(atoms, classifier.classes.length);
  const problem = { ...asked, ...tilted, classifier, check: watch.check };
  const factors = factorsInFit(start);
  const gains = new EmProgress(start.settings);
  const steps = em(problem, start);
  let next = steps.next();
  while (!next.done) {
    const step = checkAnswer(await answer(next.value, atoms, start.frame), factors);
    watch.step(gains.shareAfter(step.logLikelihood));
    next = steps.next(step);
  }
  return mixtureModel({ problem, best: next.value, ...(choice && { choice }) });
}

function checkAnswer(step: Expectation, factors: readonly FactorInFit[]): Expectation {
  requireMade("expectation", step, "an answer");
  for (const factor of factors) factor.checkSums(step);
  return step;
}

/** What the sample's rows make of their own fit, in the proportion of all rows. */
function sampleExpectation(
  { best, problem }: FittedRows,
  rows: WeightedRows,
  totalWeight: number,
): Expectation {
  const { classifier, atoms } = problem;
  const split = splitRows(rows, atoms, classifier.intercept, problem);
  const step = expectation(atoms, classifier.intercept, best.components, split);
  return scaleSums(step, totalWeight / split.totalWeight);
}
