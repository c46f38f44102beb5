import type { HeldOutScore } from "../distribution/certificate.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import { checkThreads, type ThreadOptions, type Threads } from "../threads/threads.ts";
import type { EarlierFit } from "./fit-mixture.ts";
import { namesIn, type Shape } from "./mixture-problem.ts";
import {
  type Candidate,
  type Comparison,
  type FoldScore,
  scoreCandidates,
  weightOf,
} from "./score-candidate.ts";

/** How the number of components is chosen. */
export interface ChoiceSettings {
  /** The largest size tried. Default 128; beyond 64 only while sizes gain clearly. */
  readonly most: number;
  /** Sizes in a row that may gain next to nothing before the search of a kind ends. Default 2. */
  readonly patience: number;
  /**
   * Seconds that the search may take: sizes that would end later, at twice the time of those before, are not tried. The model then depends on
   * the speed of the machine. Default: no limit but that of the operations, which is the same everywhere.
   */
  readonly timeLimit: number;
}

export const defaultChoice: ChoiceSettings = { most: 128, patience: 2, timeLimit: Number.POSITIVE_INFINITY };

/** Operations that the search may take, roughly a minute of one core. Counted, not timed: the same data give the same model on every machine. */
const MOST_OPERATIONS = 6e10;
/** A component needs at least this many rows to be worth trying. */
const ROWS_PER_COMPONENT = 10;
/** A size that does not lower the loss by this share of it has gained next to nothing. */
const LEAST_GAIN = 0.002;
/** Beyond this size twice as many components are tried only where the last doubling has lowered the loss by this share of it: they take as long as all before. */
const [USUAL_MOST, CLEAR_GAIN] = [64, 0.02];
/** A kind that is behind the best by more than so many standard errors at two sizes, from this one on, is given up. */
const [TELLING_SIZE, HOPELESS] = [2, 2];
/** The search for sizes looks at the first folds alone, half of them or those that have so many scored rows; what may be the best is scored on all. */
const FIRST_ROWS = 60;
/** Standard errors that luck explains: so far behind the best on the first folds a smaller mixture is scored on the others, too. */
const LUCK = 1;
/** What the search is of the whole comparison, roughly. */
const SEARCH_SHARE = 0.7;

/** A size and kind that was tried, with its scores on the held-out rows of all folds. */
interface Tried {
  readonly components: number;
  readonly kind: number;
  /** On the first folds, or on all. */
  readonly scores: readonly FoldScore[];
  /** Scored on so many folds, from the first on. */
  readonly folds: number;
  /** Per scored row of these, fold after fold. */
  readonly losses: Float64Array;
  /** What is to be small: the mean of the losses, or with too few complete rows the mean of −log P. */
  readonly loss: number;
  readonly logLikelihood: number;
  readonly parameters: number;
  readonly operations: number;
  /** The fit to the rows of the only fold. */
  readonly fit?: FoldScore["fit"];
}

/** What was chosen, and from what. */
export interface Choice {
  readonly chosen: Shape;
  /** Its position in the curve. */
  readonly position: number;
  readonly curve: readonly HeldOutScore[];
  /** The next sizes, where operations or time did not suffice for them. */
  readonly untried: readonly Shape[];
  /** Whether it was the time. */
  readonly timedOut?: true;
  /** Where the rows were not cut into folds: what the chosen candidate came to on most of them. */
  readonly fitted?: EarlierFit;
}

/** The search for the size of one kind. */
interface KindSearch {
  readonly kind: number;
  best: Tried | undefined;
  /** The share of the loss that the last size has taken away. */
  gain: number;
  failures: number;
  /** Sizes at which it was far behind the best kind. */
  behind: number;
}

/**
 * Compares mixtures of 1, 2, 4, 8, … components, for each of the given ways to describe the columns, by what they are for: the cross
 * entropy of their answers, with cells of held-out rows masked, to the classifier's own answer to the whole row. All answer the
 * same rows under the same masks. Of those within a standard error of the best the smallest is chosen. Which candidates there are
 * depends neither on the threads nor on the speed of the machine, unless there is a time limit.
 *
 * @param size the only size to try, instead of all of them
 */
export function chooseMixture(
  comparison: Comparison,
  choice: ChoiceSettings,
  size: number | undefined,
  options: WatchOptions & ThreadOptions,
): Choice {
  const [watch, threads] = [new Watch(options, "choosing"), checkThreads(options)];
  const { kinds } = comparison;
  const first = size === undefined ? firstFolds(comparison) : comparison.folds.length;
  const most = Math.max(1, Math.min(choice.most, Math.floor(comparison.fittedRows / ROWS_PER_COMPONENT)));
  const deadline = Date.now() + 1000 * choice.timeLimit;
  const tried: Tried[] = [];
  let searches: KindSearch[] = kinds.map((_, kind) => ({
    kind,
    best: undefined,
    gain: 1,
    failures: 0,
    behind: 0,
  }));
  let [untried, timedOut, operations]: [Shape[], boolean, number] = [[], false, 0];
  for (let components = size ?? 1; size !== undefined || components <= most; components *= 2) {
    const started = Date.now();
    const before = [...tried];
    const scores = scoreCandidates(
      comparison,
      searches.flatMap(({ kind }) => candidatesOf({ components, kind }, 0, first)),
      threads,
      (share) => watch.step(SEARCH_SHARE * shareOfSizes(components, most, share), before),
    );
    searches.forEach((search, s) => {
      const own = scores.slice(s * first, (s + 1) * first);
      tried.push(advance(search, sumUp(comparison, components, search.kind, own)));
    });
    const added = tried.slice(before.length).reduce((sum, candidate) => sum + candidate.operations, 0);
    operations += added;
    const best = lowest(tried);
    searches = searches.filter(
      (search) =>
        search.failures < choice.patience &&
        (components < USUAL_MOST || search.gain >= CLEAR_GAIN) &&
        mayDouble(comparison, search, components) &&
        !isHopeless(comparison, search, best, components),
    );
    if (searches.length === 0 || size !== undefined) break;
    timedOut = Date.now() + 2 * (Date.now() - started) >= deadline;
    if (components < most && (timedOut || operations + 2 * added > MOST_OPERATIONS)) {
      untried = searches.map(({ kind }) => ({ components: 2 * components, ...kinds[kind] }));
      break;
    }
  }
  const scored = scoreContenders(comparison, tried, threads, (share) =>
    watch.step(SEARCH_SHARE + (1 - SEARCH_SHARE) * share, tried),
  );
  return conclude(comparison, scored, untried, timedOut && untried.length > 0);
}

/** How many folds the search looks at; all of them where no rows are scored and likelihoods decide. */
function firstFolds({ folds, masks }: Comparison): number {
  const half = Math.ceil(folds.length / 2);
  let first = 0;
  for (let scored = 0; first < half && scored < FIRST_ROWS; first++)
    scored += (folds[first].masked?.hidden.rows ?? 0) / masks;
  return folds.some(({ masked }) => masked) ? first : folds.length;
}

/** A size and kind on some of the folds. */
function candidatesOf(
  { components, kind }: Pick<Tried, "components" | "kind">,
  from: number,
  to: number,
): Candidate[] {
  return Array.from({ length: to - from }, (_, at) => ({ components, kind, fold: from + at }));
}

/**
 * Scores on the remaining folds those that may be chosen: the best, and smaller ones that are behind it by no more than luck explains.
 * A larger one would have to be better than the best.
 */
function scoreContenders(
  comparison: Comparison,
  tried: readonly Tried[],
  threads: Threads,
  step: (share: number) => void,
): Tried[] {
  const { folds } = comparison;
  const best = lowest(tried);
  const [from, to] = [best.folds, folds.length];
  const isContender = (own: Tried): boolean => {
    const { mean, standardError } = behindOf(comparison, own, best);
    return (
      own.parameters <= best.parameters && mean <= Math.max(LUCK * standardError, LEAST_GAIN * best.loss)
    );
  };
  const contenders = from === to ? [] : tried.filter(isContender);
  const candidates = contenders.flatMap((own) => candidatesOf(own, from, to));
  const scores = candidates.length === 0 ? [] : scoreCandidates(comparison, candidates, threads, step);
  return tried.map((own) => {
    const at = contenders.indexOf(own);
    if (at < 0) return own;
    const added = scores.slice(at * (to - from), (at + 1) * (to - from));
    return sumUp(comparison, own.components, own.kind, [...own.scores, ...added]);
  });
}

/** What is done of sizes 1, 2, 4, … up to `most`, each twice as dear as the one before, within the one of so many components. */
function shareOfSizes(components: number, most: number, within: number): number {
  return (components - 1 + within * components) / Math.max(2 * most - 1, 2 * components - 1);
}

/** The folds of a candidate together. */
function sumUp(
  { folds, weights }: Comparison,
  components: number,
  kind: number,
  own: readonly FoldScore[],
): Tried {
  const losses = Float64Array.from(own.flatMap((score) => [...score.losses]));
  const held = folds.slice(0, own.length).reduce((sum, fold) => sum + weightOf(fold.held), 0);
  const logLikelihood = own.reduce((sum, score) => sum + score.logLikelihood, 0) / held;
  return {
    components,
    kind,
    scores: own,
    folds: own.length,
    losses,
    loss: losses.length > 0 ? meanOf(losses, weights).mean : -logLikelihood,
    logLikelihood,
    parameters: Math.max(...own.map(({ parameters }) => parameters)),
    operations: own.reduce((sum, score) => sum + score.operations, 0),
    ...(own[0].fit && { fit: own[0].fit }),
  };
}

/** Takes the next size into account. */
function advance(search: KindSearch, next: Tried): Tried {
  const { best } = search;
  search.gain = best ? (best.loss - next.loss) / Math.abs(best.loss || 1) : 1;
  search.failures = search.gain > LEAST_GAIN ? 0 : search.failures + 1;
  if (!best || next.loss < best.loss) search.best = next;
  return next;
}

/** Rows per column that a component with a covariance of low rank is to have: its M-step is the dear one, and few rows do not repay it. */
const LOW_RANK_ROWS = 4;

/** Whether a component of twice as many had more rows than columns in its Gaussian: fewer leave its correlations to the prior. */
function mayDouble({ kinds, fittedRows }: Comparison, { kind }: KindSearch, components: number): boolean {
  const { gaussianColumns, rank } = kinds[kind];
  const wanted = rank === undefined ? 1 : LOW_RANK_ROWS;
  return 2 * components * (wanted * gaussianColumns.length + 1) <= fittedRows;
}

/** Takes into account how far a kind is behind the best. A single size may be ahead by a lucky start. */
function isHopeless(comparison: Comparison, search: KindSearch, best: Tried, components: number): boolean {
  const own = search.best;
  if (!own || components < TELLING_SIZE || comparison.weights.length === 0) return false;
  const { mean, standardError } = behindOf(comparison, own, best);
  if (mean > HOPELESS * standardError) search.behind++;
  return search.behind > 1;
}

/** How far a candidate is behind another one, on the rows that both were scored on. */
function behindOf({ weights }: Comparison, own: Tried, best: Tried): Mean {
  const rows = Math.min(own.losses.length, best.losses.length);
  return differenceOf(own.losses.subarray(0, rows), best.losses.subarray(0, rows), weights);
}

function lowest(tried: readonly Tried[]): Tried {
  return tried.reduce((best, other) => (other.loss < best.loss ? other : best));
}

/** Of the candidates within a standard error of the best, or next to nothing behind it, the one with the fewest parameters. */
function conclude(
  comparison: Comparison,
  tried: readonly Tried[],
  untried: readonly Shape[],
  timedOut: boolean,
): Choice {
  const { weights, predictor, isNumber, resolutions, kinds, folds } = comparison;
  const finalists = tried.filter((own) => own.folds === folds.length);
  const best = lowest(finalists);
  const behind = tried.map((own) => behindOf(comparison, own, best));
  const isScored = weights.length > 0;
  const ties = tried.filter(
    (own, c) =>
      isScored &&
      own.folds === folds.length &&
      behind[c].mean <= Math.max(behind[c].standardError, LEAST_GAIN * best.loss),
  );
  const smallest = ties.reduce((a, b) => (b.parameters < a.parameters ? b : a), best);
  const { components, kind, fit } = smallest;
  const { train, problems } = folds[0];
  return {
    chosen: { components, ...kinds[kind] },
    position: tried.indexOf(smallest),
    curve: tried.map((candidate, c) => {
      const { bins, ...columns } = kinds[candidate.kind];
      return {
        components: candidate.components,
        ...(isScored && {
          // Of one that was not scored on all rows: that of the best, and how far it is behind on the same rows.
          [isNumber ? "squaredError" : "crossEntropy"]:
            candidate.folds === folds.length ? candidate.loss : best.loss + behind[c].mean,
          standardError: meanOf(candidate.losses, weights).standardError,
          behind: behind[c],
        }),
        logLikelihood: candidate.logLikelihood,
        ...(resolutions && namesIn(predictor, columns)),
        ...(bins !== undefined && { bins }),
      };
    }),
    untried,
    ...(timedOut && { timedOut }),
    ...(fit && {
      fitted: {
        problem: problems[kind],
        components: fit.components.slice(0, fit.count),
        gained: fit.gained,
        rows: train,
      },
    }),
  };
}

/** A mean over rows and its standard error. */
export interface Mean {
  readonly mean: number;
  readonly standardError: number;
}

/** The mean of weighted values, √( Σ w² (x − mean)² · N/(N − 1) ) / Σ w its standard error; 0 for a single value. */
export function meanOf(values: Float64Array, weights: Float64Array): Mean {
  const N = values.length;
  let [total, sum] = [0, 0];
  for (let r = 0; r < N; r++) {
    total += weights[r];
    sum += weights[r] * values[r];
  }
  const mean = sum / total;
  let squares = 0;
  for (let r = 0; r < N; r++) squares += (weights[r] * (values[r] - mean)) ** 2;
  return { mean, standardError: N > 1 ? Math.sqrt((squares * N) / (N - 1)) / total : 0 };
}

/** The mean difference of values of the same rows: what the rows have in common does not blur it. */
export function differenceOf(a: Float64Array, b: Float64Array, weights: Float64Array): Mean {
  return meanOf(
    a.map((x, r) => x - b[r]),
    weights,
  );
}
