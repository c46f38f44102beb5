import { type Component, createComponent, type Distribution } from "../distribution/distribution.ts";
import { ConformantError, requireMade, show } from "../errors.ts";
import { fastContext } from "../kernels/context.ts";
import { createModel, kindOf, withAlso } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { integer, number, type Optional, type OptionsOf, readOptions } from "../options.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { shareOfDescent, Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { type Column, isDiscrete, type Schema, valueCount } from "../schema/column.ts";
import type { Data } from "../schema/data.ts";
import type { AlsoOptions } from "../schema/infer-schema.ts";
import { type ColumnMarginal, checkCounts, type Marginals, observedWeight } from "../schema/marginals.ts";
import { conformityError } from "./certify.ts";
import { type ConformSettings, defaultSettings, reduce } from "./conform-problem.ts";
import { type CountOptions, countMarginals, countOptions } from "./count-marginals.ts";
import { newton, startingPoint } from "./newton.ts";

/** Options of {@link conform}. */
export interface ConformOptions
  extends Optional<ConformSettings>,
    Pick<CountOptions, "bins" | "weights" | "strict">,
    WatchOptions {}

/** How {@link ConformOptions} are read. */
export const conformOptions = {
  ...watchOptions,
  bins: countOptions.bins,
  weights: countOptions.weights,
  strict: countOptions.strict,
  pseudocount: number(defaultSettings.pseudocount),
  tolerance: number(defaultSettings.tolerance),
  maxIterations: integer(defaultSettings.maxIterations),
  seed: integer(defaultSettings.seed),
} satisfies OptionsOf<ConformOptions>;

/** The share of a fit that counting the data takes. */
const COUNTING = 0.5;

/**
 * Naive conformant learning: the distribution that, of all naive Bayes distributions that agree with the classifier on
 * complete rows, makes the data most likely. Labels are not needed and rows may have missing values. The data is rows, columns or
 * their marginals. For trees it is the distribution of independent columns.
 *
 * The result says in `certificate` how good it is; a fit that did not converge is returned with that status.
 *
 *     conform(classifier, rows).certificate.status; // "converged"
 */
export function conform<P extends Predictor>(
  classifier: P,
  data: Data | Marginals,
  options: ConformOptions & AlsoOptions = {},
): Model<P> {
  requireMade("classifier of any kind", classifier, "classifier");
  const wide = withAlso(classifier, data, options);
  const { also: _, ...own } = options;
  return createModel(wide, fitComponent(kindOf(wide).tilt(wide), data, own));
}

/** One component from the marginals of the data: Newton's method on its log-likelihood. */
function fitComponent(classifier: ClassTilt, data: Data | Marginals, options: ConformOptions): Distribution {
  const { onProgress, signal, bins, weights, strict, ...settings } = readOptions(options, conformOptions);
  const watch = new Watch({ onProgress, signal }, "fitting");
  const counted = isMarginals(data) ? 0 : COUNTING;
  const marginals = isMarginals(data)
    ? alignMarginals(classifier.schema, data)
    : countMarginals(classifier.schema, data, { bins, weights, strict, ...watch.part(0, counted) });
  const problem = reduce(classifier, marginals, settings.pseudocount);
  let first: number | undefined;
  const beforeStep = (mismatch: number): void => {
    first ??= mismatch;
    watch.step(counted + (1 - counted) * shareOfDescent(first, mismatch, settings.tolerance));
  };
  const { status, iterations, decrement, marginalMismatch, u } = newton(
    problem,
    { ...settings, beforeStep },
    startingPoint(problem, fastContext, watch.check),
    fastContext,
  );
  const { atoms } = problem;
  const component = createComponent(classifier, atoms, { logWeight: 0, logQ: u });
  return {
    schema: classifier.schema,
    tilt: classifier,
    atoms,
    components: [component],
    rows: marginals.rows,
    pseudocount: settings.pseudocount,
    certificate: {
      status,
      iterations,
      decrement,
      marginalMismatch,
      conformityError: conformityError(classifier, atoms, component, settings.seed),
      logLikelihood: logLikelihoodOf(component, marginals),
    },
  };
}

/** Σ_i Σ_v f_i(v) log q_i(v) − log Z, f being the shares of the values among the rows that have the column. */
function logLikelihoodOf({ logQ, logNormaliser }: Component, { columns }: Marginals): number {
  let [sum, at] = [-logNormaliser, 0];
  for (const marginal of columns) {
    const all = observedWeight(marginal);
    for (const count of marginal.counts) {
      if (count > 0) sum += (count / all) * logQ[at];
      at++;
    }
  }
  return sum;
}

function isMarginals(data: Data | Marginals): data is Marginals {
  const columns: unknown = (data as Marginals | null | undefined)?.columns;
  return (
    !Array.isArray(data) &&
    Array.isArray(columns) &&
    columns.every((column) => column?.counts instanceof Float64Array)
  );
}

/** The marginals in the order of the classifier's columns, each checked to be counts of that very column. */
export function alignMarginals(schema: Schema, marginals: Marginals): Marginals {
  const places = new Map(marginals.schema.columns.map(({ name }, at) => [name, at]));
  const columns = schema.columns.map((column) => {
    const at = places.get(column.name);
    if (at === undefined) fail(column.name, "is used by the classifier, but the marginals lack it");
    const marginal = marginals.columns[at];
    checkSameColumn(column, marginals.schema.columns[at], marginal);
    checkCounts(column, marginal, marginals.rows);
    return marginal;
  });
  return { schema, rows: marginals.rows, columns };
}

function checkSameColumn(column: Column, counted: Column, marginal: ColumnMarginal): void {
  if (column !== counted && JSON.stringify(column) !== JSON.stringify(counted)) {
    fail(
      column.name,
      "was counted with another kind or other values than the classifier's; count with classifier.schema",
    );
  }
  const expected = isDiscrete(column) ? valueCount(column) : undefined;
  if (expected !== undefined && (marginal.kind !== "discrete" || marginal.counts.length !== expected)) {
    fail(column.name, `must have ${expected} counts, got ${marginal.counts.length}`);
  }
}

function fail(column: string, what: string): never {
  throw new ConformantError("incompatible-marginals", `column ${show(column)} ${what}`, { column });
}
