import { conformityError } from "../conform/certify.ts";
import { type CountOptions, countOptions } from "../conform/count-marginals.ts";
import type { Certificate, ChoiceOfMixture } from "../distribution/certificate.ts";
import { type Distribution, joinParts } from "../distribution/distribution.ts";
import { ConformantError, requireMade } from "../errors.ts";
import { createModel, kindOf, withAlso } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import {
  either,
  flag,
  integer,
  names,
  number,
  type Optional,
  type OptionsOf,
  oneOf,
  type ReadOptions,
  readOptions,
  seconds,
} from "../options.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Data } from "../schema/data.ts";
import type { AlsoOptions } from "../schema/infer-schema.ts";
import { readWeightedRows, type WeightedRows } from "../schema/rows.ts";
import { checkThreads, type ThreadOptions, threadOptions } from "../threads/threads.ts";
import { checkNumeric, columnsToTry, type NumericOption } from "./candidates.ts";
import { type Choice, type ChoiceSettings, chooseMixture, defaultChoice } from "./choose-mixture.ts";
import { checkFit, type EarlierFit, type FittedRows, fitRows, otherParts } from "./fit-mixture.ts";
import { defaultMixtureSettings, factorsInFit, type MixtureSettings, namesIn } from "./mixture-problem.ts";
import { type Comparison, createComparison } from "./score-candidate.ts";

/**
 * Fits a mixture of naive conformant distributions: it conforms with the classifier as each of them does, and drops the
 * assumption that columns are independent given the class. Rows may have missing values; they are fitted by the known ones.
 * For trees it is a plain mixture of the rows, over whose completions they are averaged. Size and kind are chosen by the answers
 * to held-out rows with masked cells.
 *
 *     const model = conformMixture(classifier, rows); // chooses the number of components
 */
export function conformMixture<P extends Predictor>(
  classifier: P,
  data: Data,
  options: MixtureOptions & AlsoOptions = {},
): Model<P> {
  requireMade("classifier of any kind", classifier, "classifier");
  const wide = withAlso(classifier, data, options);
  const { also: _, ...own } = options;
  const all = readWeightedRows(wide.schema, data, readOptions(own, mixtureOptions));
  if (all.rows.length === 0)
    throw new ConformantError("empty-data", "conformMixture needs rows to learn from, got 0");
  return createModel(wide, mixtureModel(fitChosen(wide, all, own)));
}

/** The fitted mixture with its certificate. */
export function mixtureModel({ problem, best, choice }: FittedChoice): Distribution {
  checkFit({ best, problem });
  const { classifier, atoms, totalWeight, settings } = problem;
  const factors = factorsInFit(problem);
  const { status, components, steps, decrement, marginalMismatch, objective, dropped } = best;
  const outcome = {
    schema: classifier.schema,
    rows: components.map(({ logWeight }) => Math.exp(logWeight) * totalWeight),
    mismatch: best.momentMismatch ?? 0,
    ridge: settings.ridge,
  };
  const errors = components.map((component) =>
    conformityError(classifier, atoms, component, settings.seed, factors),
  );
  const certificate: Certificate = {
    status,
    iterations: steps,
    // One that overflowed is as large as a number of a model file can be.
    decrement: Number.isFinite(decrement) ? decrement : Number.MAX_VALUE,
    marginalMismatch,
    conformityError: Math.max(...errors),
    mixture: { objective, dropped },
    ...(choice && { choice }),
    ...joinParts(factors.map((factor) => factor.certify(outcome))),
  };
  return {
    schema: classifier.schema,
    tilt: classifier,
    atoms,
    ...otherParts(problem),
    components,
    rows: totalWeight,
    pseudocount: settings.pseudocount,
    certificate,
  };
}

/** A mixture fitted to rows, and how its size and kind were chosen where they were. */
export interface FittedChoice extends FittedRows {
  readonly choice?: ChoiceOfMixture;
}

/** With fewer rows than this there is nothing to choose by: one component, of the first kind that is allowed. */
const FEW_ROWS = 20;

/** What choosing is of the whole work, roughly: the sizes that were tried, beside the last fit of one of them. */
const CHOICE_SHARE = 0.7;

/**
 * A mixture of the size and kind that the options ask for or, where they leave that open, that held-out rows favor.
 * Candidates are scored by the predictor's answers.
 *
 * @param from where the options leave nothing open: a fit of the same shape to the same rows, to go on from
 */
export function fitChosen(
  predictor: Predictor,
  data: WeightedRows,
  options: MixtureOptions,
  from?: EarlierFit,
): FittedChoice {
  const classifier = kindOf(predictor, "classifier").tilt(predictor);
  const read = readOptions(options, mixtureOptions);
  const watch = new Watch(read, "fitting");
  const settings = settingsOf(read);
  const { most, patience, timeLimit, components } = read;
  const search = components === "auto" ? { most, patience, timeLimit } : undefined;
  const kind = checkNumeric(read.numeric, classifier.schema);
  const asked = components === "auto" ? undefined : components;
  // A component begins with a row, so that more of them than rows are none.
  const size = asked && Math.min(asked, data.rows.length);
  const kinds = columnsToTry(kind, classifier, data, { ...read, sized: search === undefined });
  const open = (search !== undefined || kinds.length > 1) && data.rows.length >= FEW_ROWS;
  const task = { classifier, data, settings, rough: read.rough };
  if (!open) return fitRows(task, { components: size ?? 1, ...kinds[0] }, read, from);
  const { threads } = read;
  const comparison = checkThreads(read).share(createComparison(predictor, task, kinds));
  const choosing = { ...watch.part(0, CHOICE_SHARE), threads };
  const choice = chooseMixture(comparison, search ?? defaultChoice, size, choosing);
  const rest = { ...watch.part(CHOICE_SHARE, 1, choice.curve), threads };
  return {
    ...fitRows(task, choice.chosen, rest, choice.fitted),
    choice: certify(comparison, choice),
  };
}

/** What the certificate keeps of a choice. */
function certify(
  { predictor, folds, weights, masks }: Comparison,
  { curve, position, untried, timedOut }: Choice,
): ChoiceOfMixture {
  const scored = weights.length;
  return {
    curve,
    chosen: position,
    folds: folds.length,
    rows: scored > 0 ? scored : folds.reduce((sum, { held }) => sum + held.rows.length, 0),
    masks: scored > 0 ? masks : 0,
    untried: untried.map((shape) => ({ components: shape.components, ...namesIn(predictor, shape) })),
    ...(timedOut && { timedOut }),
  };
}

/** Options of {@link conformMixture}. */
export interface MixtureOptions
  extends Optional<MixtureSettings>,
    Optional<ChoiceSettings>,
    Pick<CountOptions, "weights" | "strict">,
    WatchOptions,
    ThreadOptions {
  /**
   * How many components, with no more than there are rows, or "auto": 1, 2, 4, 8, … compared by their answers to held-out rows with
   * hidden cells. Default "auto".
   */
  readonly components?: number | "auto" | undefined;
  /**
   * What describes numeric columns: "atoms", each by itself as in the paper; "gaussian", all of them together with their
   * correlations; "auto", what answers held-out rows with hidden cells best; or the names of the columns to describe together.
   * Default "auto".
   */
  readonly numeric?: NumericOption | undefined;
  /**
   * The rank of the covariances, which are then of low rank plus diagonal: for a form that was chosen before. Default: any covariance where
   * `numeric` says what is described together; what answers best where it is "auto".
   */
  readonly rank?: number | undefined;
  /**
   * Whether to stop early, when predictions hardly change any more: in about half of the time, to compare models. Predictions for complete
   * rows are the classifier's as always; the frequencies in the rows match only approximately. Default false.
   */
  readonly rough?: boolean | undefined;
}

/** A smaller ridge is lost in the rounding of a covariance and would keep nothing regular. */
const LEAST_RIDGE = 1e-10;

/** How {@link MixtureOptions} are read. */
export const mixtureOptions = {
  ...watchOptions,
  ...threadOptions,
  weights: countOptions.weights,
  strict: countOptions.strict,
  components: either(oneOf(["auto"], "auto"), integer(undefined, { least: 1 })),
  numeric: either(oneOf(["auto", "atoms", "gaussian"], "auto"), names(undefined)),
  rank: integer(undefined, { least: 1 }),
  rough: flag(false),
  pseudocount: number(defaultMixtureSettings.pseudocount),
  shrinkage: number(defaultMixtureSettings.shrinkage),
  ridge: number(defaultMixtureSettings.ridge),
  bins: integer(defaultMixtureSettings.bins, { least: 1 }),
  tolerance: number(defaultMixtureSettings.tolerance),
  maxIterations: integer(defaultMixtureSettings.maxIterations, { least: 1 }),
  restarts: integer(defaultMixtureSettings.restarts, { least: 1 }),
  seed: integer(defaultMixtureSettings.seed),
  most: integer(defaultChoice.most, { least: 1 }),
  patience: integer(defaultChoice.patience, { least: 1 }),
  timeLimit: seconds(defaultChoice.timeLimit),
} satisfies OptionsOf<MixtureOptions>;

/** The settings of the fit among the options. */
function settingsOf(read: ReadOptions<typeof mixtureOptions>): MixtureSettings {
  const { pseudocount, shrinkage, ridge, bins, tolerance, maxIterations, restarts, seed } = read;
  return {
    pseudocount,
    shrinkage,
    ridge: Math.max(LEAST_RIDGE, ridge),
    bins,
    tolerance,
    maxIterations,
    restarts,
    seed,
  };
}

/** The size of a mixture and what describes its numbers. */
export type MixtureShape = Pick<MixtureOptions, "components" | "numeric" | "rank" | "bins">;

/** The shape of a fitted mixture, as options for another fit that is not to choose again. */
export function mixtureShape(model: Distribution): MixtureShape {
  requireMade("model", model);
  const { components, certificate } = model;
  const { choice } = certificate;
  const bins = choice?.curve[choice.chosen].bins;
  return {
    components: components.length,
    numeric: certificate.gaussian?.columns ?? "atoms",
    rank: certificate.gaussian?.rank,
    ...(bins !== undefined && { bins }),
  };
}
