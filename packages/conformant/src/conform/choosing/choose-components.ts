import type { HeldOutScore } from "../../model/certificate.ts";
import { columnsIn, namesIn } from "../mixture/factors-in-fit.ts";
import type { FittedRows } from "../mixture/fit-rows.ts";
import type { Description, Shape } from "../mixture/mixture-problem.ts";
import { type Judge, type Judgement, type Trial, type Trials, weightOf } from "./judge.ts";
import { differenceOf, meanOf } from "./weighted-mean.ts";

/** How the number of components is chosen. */
export interface ChoiceSettings {
  /** The largest size tried. Default 128; beyond 64 only while sizes gain clearly. */
  readonly most: number;
  /** Sizes in a row that may gain next to nothing before the search of a kind ends. Default 2. */
  readonly patience: number;
  /** Seconds that the search may take: sizes that would end later, at twice the time of those before, are not tried. Default 60. */
  readonly timeLimit: number;
}

export const defaultChoice: ChoiceSettings = { most: 128, patience: 2, timeLimit: 60 };

/** A component needs at least this many rows to be worth trying. */
const ROWS_PER_COMPONENT = 10;
/** A size that does not lower the loss by this share of it has gained next to nothing. */
const LEAST_GAIN = 0.002;
/** Beyond this size twice as many components are tried only where the last doubling has lowered the loss by this share of it: they take as long as all before. */
const [USUAL_MOST, CLEAR_GAIN] = [64, 0.02];
/** From this size on a kind that is behind the best by more than so many standard errors is given up. */
const [TELLING_SIZE, HOPELESS] = [4, 2];

/** A size and kind that was tried, with what held-out rows say about it. */
interface Candidate extends Shape {
  /** Per judged row, fold after fold. */
  readonly losses: Float64Array;
  /** What is to be small: the mean of the losses, or with too few complete rows the mean of −log P. */
  readonly loss: number;
  readonly logLikelihood: number;
  readonly parameters: number;
  /** The fit to the rows of the only fold. */
  readonly fitted?: FittedRows;
}

/** What was chosen, and from what. */
export interface Choice {
  readonly chosen: Shape;
  /** Its position in the curve. */
  readonly position: number;
  readonly curve: readonly HeldOutScore[];
  /** What the time did not suffice for. */
  readonly untried: readonly Shape[];
  /** Where the rows were not cut into folds: what the chosen candidate came to on most of them. */
  readonly fitted?: FittedRows;
}

/** What is to be judged next. */
export interface Rung extends Trials {
  /** The shares of the search that are done before and after it, roughly. */
  readonly from: number;
  readonly to: number;
  /** What was tried before. */
  readonly tried: readonly Pick<HeldOutScore, "components" | "logLikelihood">[];
}

/** The search for one kind. */
interface Ladder {
  readonly columns: Description;
  best: Candidate | undefined;
  /** The share of the loss that the last size has taken away. */
  gain: number;
  failures: number;
}

/**
 * Compares mixtures of 1, 2, 4, 8, … components, for each of the given ways to describe the columns, by what they are for: the cross
 * entropy of their answers, with cells of held-out rows hidden, to the classifier's own answer to the whole row. All answer the
 * same rows under the same masks. Of those within a standard error of the best the smallest is chosen.
 *
 * The generator yields trials and is to be sent what the judge makes of them, in the same order, so that one thread or several
 * may do the work: which trials there are does not depend on it, but for the time limit.
 *
 * @param size the only size to try, instead of the ladder
 */
export function* chooseComponents(
  judge: Judge,
  choice: ChoiceSettings,
  kinds: readonly Description[],
  size?: number,
): Generator<Rung, Choice, readonly Judgement[]> {
  const most = Math.max(1, Math.min(choice.most, Math.floor(judge.fittedRows / ROWS_PER_COMPONENT)));
  const deadline = Date.now() + 1000 * choice.timeLimit;
  const candidates: Candidate[] = [];
  let ladders: Ladder[] = kinds.map((columns) => ({ columns, best: undefined, gain: 1, failures: 0 }));
  let untried: Shape[] = [];
  for (let components = size ?? 1; size !== undefined || components <= most; components *= 2) {
    const started = Date.now();
    const trialsOf = (of: number): Trial[] =>
      ladders.flatMap(({ columns }) => judge.folds.map((_, fold) => ({ components: of, ...columns, fold })));
    const goesOn = size === undefined && 2 * components <= Math.min(most, USUAL_MOST);
    const share = (within: number): number => shareOfLadder(components, most, within);
    const judgements = yield {
      trials: trialsOf(components),
      likely: goesOn ? trialsOf(2 * components) : [],
      from: share(0),
      to: share(1),
      tried: candidates,
    };
    ladders.forEach((ladder, l) => {
      const own = judgements.slice(l * judge.folds.length, (l + 1) * judge.folds.length);
      const candidate = sumUp(judge, { components, ...ladder.columns }, own);
      candidates.push(candidate);
      climb(ladder, candidate);
    });
    const best = lowest(candidates);
    ladders = ladders.filter(
      (ladder) =>
        ladder.failures < choice.patience &&
        (components < USUAL_MOST || ladder.gain >= CLEAR_GAIN) &&
        !isHopeless(judge, ladder, best, components),
    );
    if (ladders.length === 0 || size !== undefined) break;
    if (components < most && Date.now() + 2 * (Date.now() - started) > deadline) {
      untried = ladders.map(({ columns }) => ({ components: 2 * components, ...columns }));
      break;
    }
  }
  return conclude(judge, candidates, untried);
}

/** What is done of sizes 1, 2, 4, … up to `most`, each twice as dear as the one before, within the one of so many components. */
function shareOfLadder(components: number, most: number, within: number): number {
  return (components - 1 + within * components) / Math.max(2 * most - 1, 2 * components - 1);
}

/** The folds of a candidate together. */
function sumUp(judge: Judge, shape: Shape, own: readonly Judgement[]): Candidate {
  const losses = Float64Array.from(own.flatMap((judgement) => [...judgement.losses]));
  const held = judge.folds.reduce((sum, fold) => sum + weightOf(fold.held), 0);
  const logLikelihood = own.reduce((sum, judgement) => sum + judgement.logLikelihood, 0) / held;
  return {
    ...shape,
    losses,
    loss: losses.length > 0 ? meanOf(losses, judge.weights).mean : -logLikelihood,
    logLikelihood,
    parameters: Math.max(...own.map(({ parameters }) => parameters)),
    ...(own[0].fitted && { fitted: own[0].fitted }),
  };
}

function climb(ladder: Ladder, candidate: Candidate): void {
  const { best } = ladder;
  ladder.gain = best ? (best.loss - candidate.loss) / Math.abs(best.loss || 1) : 1;
  ladder.failures = ladder.gain > LEAST_GAIN ? 0 : ladder.failures + 1;
  if (!best || candidate.loss < best.loss) ladder.best = candidate;
}

function isHopeless({ weights }: Judge, { best: own }: Ladder, best: Candidate, components: number): boolean {
  if (!own || components < TELLING_SIZE || weights.length === 0) return false;
  const { mean, standardError } = differenceOf(own.losses, best.losses, weights);
  return mean > HOPELESS * standardError;
}

function lowest(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((best, candidate) => (candidate.loss < best.loss ? candidate : best));
}

/** Of the candidates within a standard error of the best, or next to nothing behind it, the one with the fewest parameters. */
function conclude(judge: Judge, candidates: readonly Candidate[], untried: readonly Shape[]): Choice {
  const { weights, classifier, resolutions } = judge;
  const best = lowest(candidates);
  const behind = candidates.map(({ losses }) => differenceOf(losses, best.losses, weights));
  const judged = weights.length > 0;
  const ties = candidates.filter(
    (_, c) => judged && behind[c].mean <= Math.max(behind[c].standardError, LEAST_GAIN * best.loss),
  );
  const smallest = ties.reduce((a, b) => (b.parameters < a.parameters ? b : a), best);
  const { components, bins, fitted } = smallest;
  return {
    chosen: { components, ...columnsIn(smallest), ...(bins !== undefined && { bins }) },
    position: candidates.indexOf(smallest),
    curve: candidates.map((candidate, c) => ({
      components: candidate.components,
      ...(judged && {
        crossEntropy: candidate.loss,
        standardError: meanOf(candidate.losses, weights).standardError,
        behind: behind[c],
      }),
      logLikelihood: candidate.logLikelihood,
      ...(resolutions && namesIn(classifier, candidate)),
      ...(candidate.bins !== undefined && { bins: candidate.bins }),
    })),
    untried,
    ...(fitted && { fitted }),
  };
}
