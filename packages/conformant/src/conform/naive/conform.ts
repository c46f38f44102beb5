import type { Classifier } from "../../classifier/classifier.ts";
import { requireInteger, requireMade, requireNumber } from "../../errors.ts";
import { type CountOptions, countMarginals } from "../../marginals/count-marginals.ts";
import { type Marginals, observedWeight } from "../../marginals/marginals.ts";
import { type Component, createComponent, type Model } from "../../model/model.ts";
import type { Data } from "../../schema/data.ts";
import { shareOfDescent, Watch, type WatchOptions } from "../../watch.ts";
import { alignMarginals } from "./align-marginals.ts";
import { conformityError } from "./certify.ts";
import { newton } from "./newton.ts";
import { reduce } from "./problem.ts";
import { type ConformSettings, defaultSettings } from "./settings.ts";
import { startingPoint } from "./starting-point.ts";

/** Options of {@link conform}. */
export interface ConformOptions
  extends Partial<ConformSettings>,
    Pick<CountOptions, "bins" | "weights" | "strict">,
    WatchOptions {}

/** The share of a fit that counting the data takes. */
const COUNTING = 0.5;

/** Fits naive conformant learning's one component to the marginals of the data: Newton's method on its log-likelihood. */
export function conform(classifier: Classifier, data: Data | Marginals, options: ConformOptions = {}): Model {
  requireMade("classifier", classifier);
  const watch = new Watch(options, "fitting");
  const settings = checkSettings(options);
  const counted = isMarginals(data) ? 0 : COUNTING;
  const marginals = isMarginals(data)
    ? alignMarginals(classifier.schema, data)
    : countMarginals(classifier.schema, data, { ...options, ...watch.part(0, counted) });
  const problem = reduce(classifier, marginals, settings.pseudocount);
  let first: number | undefined;
  const beforeStep = (mismatch: number): void => {
    first ??= mismatch;
    watch.step(counted + (1 - counted) * shareOfDescent(first, mismatch, settings.tolerance));
  };
  const { status, iterations, decrement, marginalMismatch, u } = newton(
    problem,
    { ...settings, beforeStep },
    startingPoint(problem, watch.check),
  );
  const { atoms } = problem;
  const component = createComponent(classifier, atoms, { logWeight: 0, logQ: u });
  return {
    classifier,
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

function checkSettings(options: ConformOptions): ConformSettings {
  const { pseudocount, tolerance, maxIterations, seed } = { ...defaultSettings, ...options };
  return {
    pseudocount: requireNumber("options.pseudocount", pseudocount, 0),
    tolerance: requireNumber("options.tolerance", tolerance, 0),
    maxIterations: requireInteger("options.maxIterations", maxIterations, 0),
    seed: requireInteger("options.seed", seed, 0),
  };
}

function isMarginals(data: Data | Marginals): data is Marginals {
  const columns: unknown = (data as Marginals | null | undefined)?.columns;
  return (
    !Array.isArray(data) &&
    Array.isArray(columns) &&
    columns.every((column) => column?.counts instanceof Float64Array)
  );
}
