import { tiltAtoms } from "../conform/conform-problem.ts";
import { type Atoms, type ColumnAtoms, createAtoms } from "../distribution/atoms.ts";
import type { ChoiceOfMixture } from "../distribution/certificate.ts";
import type { Component } from "../distribution/distribution.ts";
import { ConformantError, requireFunction, requireMade, requireNumber } from "../errors.ts";
import type { FactorInFit } from "../gaussian/factor-in-fit.ts";
import type { GaussianFrame } from "../gaussian/frame.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { scaleSums } from "../math/sum-records.ts";
import { createModel, kindOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { integer, type OptionsOf, readOptions } from "../options.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";

import type { Data } from "../schema/data.ts";
import { readWeightedRows, type WeightedRows } from "../schema/rows.ts";
import { thisThread } from "../threads/threads.ts";
import { fitChosen, type MixtureOptions, mixtureModel, mixtureOptions } from "./conform-mixture.ts";
import { type Expectation, expectation } from "./e-step.ts";
import { progressOf, startEm, stepEm } from "./em.ts";
import { checkFit, type FittedRows, rejectFit } from "./fit-mixture.ts";
import { type FactorFrames, factorsInFit, framesIn, type MixtureSettings } from "./mixture-problem.ts";
import { splitRows } from "./packed-rows.ts";
import type { Seeds } from "./seeds.ts";

/** Options of {@link startMixture}. */
export interface StartOptions extends MixtureOptions {
  /** Passes over all rows at most, each an EM step; the sample's fit leaves little to do. Default 10. */
  readonly maxPasses?: number | undefined;
}

/** How {@link StartOptions} are read. */
export const startOptions = {
  ...mixtureOptions,
  maxPasses: integer(10, { least: 1 }),
} satisfies OptionsOf<StartOptions>;

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
 * of its Gaussian, too.
 */
export type Answer = (
  components: readonly Component[],
  atoms: Atoms,
  frame?: GaussianFrame,
) => Expectation | Promise<Expectation>;

/**
 * The number of components, what describes numeric columns and a first fit, from a sample of the rows; {@link conformRemote}
 * goes on from there over all of them.
 *
 * @param totalWeight the weight of all rows, of which the sample is a part
 */
export function startMixture(
  classifier: Predictor,
  sample: Data,
  totalWeight: number,
  options: StartOptions = {},
): MixtureStart {
  requireMade("classifier of any kind", classifier, "classifier");
  const { maxPasses, ...own } = readOptions(options, startOptions);
  requireNumber("totalWeight", totalWeight, 0);
  const rows = readWeightedRows(classifier.schema, sample, own);
  if (!(totalWeight > 0) || rows.rows.length === 0) {
    const message = `a mixture needs rows to learn from, got ${rows.rows.length} with a total weight of ${totalWeight}`;
    throw new ConformantError("empty-data", message);
  }
  const fitted = fitChosen(classifier, rows, own);
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
    settings: { ...settings, maxIterations: maxPasses },
    gainedBefore: objective[objective.length - 1] - objective[0],
    ...(fitted.choice && { choice: fitted.choice }),
  };
}

/**
 * A mixture of rows that stay where they are, in files, in a database or on a cluster: EM goes on from the start, and `answer`
 * says at each step what the rows make of the components. Neither rows nor anything of their number is kept here.
 */
export async function conformRemote<P extends Predictor>(
  predictor: P,
  start: MixtureStart,
  answer: Answer,
  options: WatchOptions = {},
): Promise<Model<P>> {
  const classifier = kindOf(predictor, "classifier").tilt(predictor);
  requireMade("start", start);
  requireFunction("answer", answer);
  const watch = new Watch(readOptions(options, watchOptions), "fitting");
  const { choice, ...asked } = start;
  const atoms = createAtoms(classifier, start.atoms);
  const tilted = tiltAtoms(atoms, classifier.intercept.length);
  const problem = { ...asked, ...tilted, classifier };
  const factors = factorsInFit(start);
  let state = startEm(problem, start, { threads: thisThread, check: watch.check, context: manyRows });
  while (!state.result) {
    const sums = checkAnswer(await answer(state.components, atoms, start.frame), factors);
    state = stepEm(state, sums);
    watch.step(progressOf(state));
  }
  return createModel(predictor, mixtureModel({ problem, best: state.result, ...(choice && { choice }) }));
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
  const split = splitRows(rows, atoms, classifier.intercept, problem, manyRows);
  const step = expectation(atoms, classifier.intercept, best.components, split, manyRows);
  return scaleSums(step, totalWeight / split.totalWeight);
}
