import { defaultSettings, poseProblem } from "../conform/conform-problem.ts";
import { newton, startingPoint } from "../conform/newton.ts";
import { type Component, createComponent, logAtomGivenClass } from "../distribution/distribution.ts";
import type { FactorPrior, FactorTarget } from "../gaussian/factor-in-fit.ts";
import type { ManyRowsContext } from "../gaussian/many-rows.ts";
import type { Threads } from "../threads/threads.ts";
import { factorsInFit, isCostly, type MixtureProblem, stepCost } from "./mixture-problem.ts";
import type { Seeds } from "./seeds.ts";

/** How well an M-step on the way is solved: half-solved ones cost more passes over the rows than they save. */
const ROUGHLY = { tolerance: 1e-6, maxIterations: 10, unmeasured: true };
/** The same in a fit that is only compared with others: EM raises the objective as surely, and nearly as much a step. */
const TO_COMPARE = { tolerance: 1e-2, maxIterations: 2, unmeasured: true };
/** The same where a step costs more than a pass over the rows: one step from where the last M-step ended is enough to gain. */
const ONE_STEP = { tolerance: 1e-6, maxIterations: 1, unmeasured: true };

/** A component, and how well the M-step that it came of was solved. */
export interface ComponentFit {
  readonly component: Component;
  readonly u: Float64Array;
  /** Whether Newton's method converged. */
  readonly solved: boolean;
  readonly decrement: number;
  readonly marginalMismatch: number;
  readonly target: FactorTarget | undefined;
}

/** How far a component is from what the factor beside the atoms has to match, in standard deviations. */
export function mismatchOf({ component, target }: ComponentFit): number {
  return target?.mismatch(component) ?? 0;
}

/** What is to be maximized: component m of the sums with its share of all rows, from where the step before left it. */
export interface ComponentShare {
  readonly m: number;
  readonly weight: number;
  readonly from?: Pick<ComponentFit, "u"> | undefined;
}

/** What the M-step of a component came to, as numbers that can be handed from thread to thread. */
export interface SolvedComponent extends Pick<ComponentFit, "u" | "decrement" | "marginalMismatch"> {
  /** P(k) of the component, K numbers. */
  readonly prior: Float64Array;
  /** 1 where Newton's method converged, else 0. */
  readonly solved: number;
}

/** Who works on the steps of a fit: its threads, and who is asked between the steps of one. */
export interface StepWorkers {
  readonly threads: Threads;
  /** It may end the work by throwing. */
  readonly check?: () => void;
  readonly context: ManyRowsContext;
}

/**
 * Conformant learning on the sums of a component, together with the prior's rows; with `exact` to the end.
 */
export function solveComponent(
  problem: MixtureProblem,
  sums: Seeds,
  { m, weight, from }: ComponentShare,
  exact: boolean,
  { check, context }: Pick<StepWorkers, "check" | "context">,
): SolvedComponent {
  const { classifier, overall, totalWeight } = problem;
  const shrinkage = shrinkageOf(problem);
  const onTheWay = from && problem.rough ? TO_COMPARE : ROUGHLY;
  const roughly = from && isCostly(stepCost(problem)) ? ONE_STEP : onTheWay;
  const shrunk = sums.counts[m].map((count, j) => count + shrinkage * overall[j]);
  const target = targetOf(problem, sums, m);
  const posed = {
    ...poseProblem(
      problem,
      classifier.intercept,
      shrunk,
      weight * totalWeight + shrinkage,
      pseudocountOf(problem),
    ),
    ...(target && { others: target }),
  };
  const { status, u, prior, decrement, marginalMismatch } = newton(
    posed,
    { ...(exact ? defaultSettings : roughly), beforeStep: check },
    from?.u ?? startingPoint(posed, context, check),
    context,
  );
  const solved = status === "converged" ? 1 : 0;
  return { u, decrement, marginalMismatch, prior, solved };
}

/** The component that a solution belongs to. */
export function completeFit(
  problem: MixtureProblem,
  sums: Seeds,
  { m, weight }: ComponentShare,
  { u, decrement, marginalMismatch, prior, solved }: SolvedComponent,
): ComponentFit {
  const target = targetOf(problem, sums, m);
  const own = { logWeight: Math.log(weight), logQ: u, ...target?.match(prior) };
  return {
    component: createComponent(problem.classifier, problem.atoms, own),
    u,
    solved: solved === 1,
    decrement,
    marginalMismatch,
    target,
  };
}

/** What the factor beside the atoms has to match. One at most: the class prior of several would be the optimum of what all of them say together. */
function targetOf(problem: MixtureProblem, sums: Seeds, m: number): FactorTarget | undefined {
  return factorsInFit(problem).map((factor) => factor.target(sums, m, factorPriorOf(problem)))[0];
}

/**
 * The pseudo-count of one component. A single one is the paper's method. In a mixture the paper's count, which is meant for 0/1
 * columns, is shared out among the components that were started with and among the values of a column, of which there are
 * atoms / columns on average instead of two: otherwise small components of many-valued columns are all prior, and die.
 */
export function pseudocountOf({ settings, components, atoms }: MixtureProblem): number {
  if (components === 1) return settings.pseudocount;
  const values = Math.max(2, atoms.offsets[atoms.columns.length] / atoms.columns.length);
  return (settings.pseudocount / components) * (2 / values);
}

/**
 * The rows that the prior gives each component: `shrinkage` of them with the overall marginals and correlations, times what the
 * factor needs that needs most; and where a factor asks for them, rows whose columns are not correlated. A mixture shares the
 * latter out among its components, and takes no more of them than of the others: what the correlations of all rows do not show
 * may be its structure.
 */
function priorRows(problem: MixtureProblem): { readonly correlated: number; readonly independent: number } {
  const {
    settings: { shrinkage },
    components,
  } = problem;
  const factors = factorsInFit(problem);
  const correlated = shrinkage * Math.max(1, ...factors.map((factor) => factor.priorRows));
  const wanted = (shrinkage * Math.max(0, ...factors.map((factor) => factor.independentRows))) / components;
  return { correlated, independent: components === 1 ? wanted : Math.min(correlated, wanted) };
}

/** All rows of the prior. */
export function shrinkageOf(problem: MixtureProblem): number {
  const { correlated, independent } = priorRows(problem);
  return correlated + independent;
}

/** What the prior adds to the sums of a factor beside the atoms. */
export function factorPriorOf(problem: MixtureProblem): FactorPrior {
  const { settings, totalWeight, components, classifier } = problem;
  const { correlated, independent } = priorRows(problem);
  const pseudocount = pseudocountOf(problem);
  const own = correlated + classifier.intercept.length * pseudocount;
  const rows = own + independent;
  return {
    rows,
    correlated: rows > 0 ? own / rows : 1,
    pseudocount,
    ridge: (settings.ridge * totalWeight) / components,
  };
}

/** The prior's part of the objective, of one component. */
export function logPriorOf(problem: MixtureProblem, component: Component): number {
  const { atoms, overall } = problem;
  const { logQ, logPrior, logNormaliser } = component;
  const K = logPrior.length;
  const c = pseudocountOf(problem);
  const shrinkage = shrinkageOf(problem);
  let sum = -shrinkage * logNormaliser;
  for (const factor of factorsInFit(problem)) sum += factor.logPrior(component, factorPriorOf(problem));
  for (let j = 0; j < logQ.length; j++) if (overall[j] > 0) sum += shrinkage * overall[j] * logQ[j];
  if (c === 0) return sum;
  for (let k = 0; k < K; k++) sum += c * logPrior[k];
  for (let i = 0; i < atoms.columns.length; i++) {
    for (let j = atoms.offsets[i]; j < atoms.offsets[i + 1]; j++) {
      for (let k = 0; k < K; k++) sum += c * logAtomGivenClass(atoms, component, i, j, k);
    }
  }
  return sum;
}
