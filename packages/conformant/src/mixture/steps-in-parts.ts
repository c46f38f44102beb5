import type { Atoms } from "../distribution/atoms.ts";
import { type Component, joinParts } from "../distribution/distribution.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { addSums, countSums, readSums, writeSums } from "../math/sum-records.ts";
import { type PartedWork, thisThread } from "../threads/threads.ts";
import { type Expectation, expectation } from "./e-step.ts";
import {
  type ComponentFit,
  type ComponentShare,
  completeFit,
  type SolvedComponent,
  type StepWorkers,
  solveComponent,
} from "./m-step.ts";
import { factorsInFit, type MixtureProblem } from "./mixture-problem.ts";
import type { AtomRows, SplitRows } from "./packed-rows.ts";
import type { Seeds } from "./seeds.ts";

/** Work on the rows for all components, and atoms × K² of all of them, from which on a step is worth sharing. */
const WORTH_SHARING = 1 << 20;

/** The rows of a fit, in parts that are the same for any number of threads, and what a pass over them needs to know besides. */
export interface RowsInParts {
  readonly atoms: Atoms;
  readonly intercept: Float64Array;
  readonly parts: readonly SplitRows[];
}

/** Writes the sums over a part of the rows. */
export const expectPart: PartedWork<RowsInParts, readonly Component[]> = {
  name: "expectation",
  doPart: ({ atoms, intercept, parts }, components, part, out) =>
    void writeSums(expectation(atoms, intercept, components, parts[part], manyRows), out),
};

/** The E-step: the sums over all parts, added in their order. */
export function expectInParts(
  rows: RowsInParts,
  components: readonly Component[],
  { threads, context }: StepWorkers,
): Expectation {
  const { atoms, intercept, parts } = rows;
  if (parts.length === 1) return expectation(atoms, intercept, components, parts[0], context);
  const shape = emptyExpectation(components, parts[0]);
  const numbers = countSums(shape);
  const work = parts.reduce(
    (sum, { complete, incomplete }) => sum + workOn(complete) + workOn(incomplete),
    0,
  );
  const who = work * components.length < WORTH_SHARING ? thisThread : threads;
  const all = who.run(expectPart, { lasting: rows, given: components, count: parts.length, numbers });
  return parts
    .map((_, part) => readSums(shape, all.subarray(part * numbers, (part + 1) * numbers)))
    .reduce(addSums);
}

/** What a pass over rows takes for each component, roughly: their entries, and for other factors the squares of their columns. */
function workOn({ packed, weights, cells }: AtomRows): number {
  return cells.reduce((sum, own) => sum + own.length ** 2 / (weights.length || 1), packed.entries.length);
}

/** The sums over no rows. */
function emptyExpectation(components: readonly Component[], { frames }: SplitRows): Expectation {
  const M = components.length;
  return {
    logLikelihood: 0,
    componentWeights: new Float64Array(M),
    counts: components.map(({ logQ }) => new Float64Array(logQ.length)),
    ...joinParts(factorsInFit(frames).map((factor) => factor.seed(M).sums())),
  };
}

/** Components to be maximized. */
interface SharesGiven {
  readonly sums: Seeds;
  readonly shares: readonly ComponentShare[];
  readonly exact: boolean;
}

/** Writes what the M-step of a component comes to. */
export const maximizePart: PartedWork<MixtureProblem, SharesGiven> = {
  name: "maximization",
  doPart: (problem, { sums, shares, exact }, part, out) =>
    void writeSums(solveComponent(problem, sums, shares[part], exact, { context: manyRows }), out),
};

/** The M-step of some components, by several threads where it takes long. */
export function maximizeAll(
  problem: MixtureProblem,
  sums: Seeds,
  shares: readonly ComponentShare[],
  exact: boolean,
  workers: StepWorkers,
): ComponentFit[] {
  const { threads, check } = workers;
  const [A, K] = [problem.overall.length, problem.classifier.intercept.length];
  if (threads === thisThread || shares.length * A * K * K < WORTH_SHARING)
    return shares.map((share) =>
      completeFit(problem, sums, share, solveComponent(problem, sums, share, exact, workers)),
    );
  const given: SharesGiven = {
    sums,
    shares: shares.map(({ m, weight, from }) => ({ m, weight, ...(from && { from: { u: from.u } }) })),
    exact,
  };
  const shape: SolvedComponent = {
    u: new Float64Array(A),
    decrement: 0,
    marginalMismatch: 0,
    prior: new Float64Array(K),
    solved: 0,
  };
  const numbers = countSums(shape);
  const parts = { lasting: problem, given, count: shares.length, numbers };
  const all = threads.run(maximizePart, parts, check);
  return shares.map((share, s) =>
    completeFit(problem, sums, share, readSums(shape, all.subarray(s * numbers, (s + 1) * numbers))),
  );
}
