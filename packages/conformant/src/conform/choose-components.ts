import type { Classifier } from "../classifier/classifier.ts";
import { random } from "../math/random.ts";
import type { HeldOutScore } from "../model/certificate.ts";
import { keepEveryColumn } from "../schema/keep-every-column.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import { fitRows } from "./fit-rows.ts";
import { heldOutLikelihood, recordedLikelihood } from "./held-out.ts";
import type { MixtureSettings } from "./mixture-settings.ts";
import { type Resolution, resolutionsOf } from "./resolution.ts";
import type { WeightedRows } from "./weighted-rows.ts";

/** How the number of components is chosen. */
export interface ChoiceSettings {
  /** The largest size tried. Default 64. */
  readonly most: number;
  /** Sizes in a row that may fail to improve before the search ends. Default 1. */
  readonly patience: number;
  /** Seconds that the search may take: a size that would end later, at twice the time of the one before, is not tried. Default 60. */
  readonly timeLimit: number;
}

export const defaultChoice: ChoiceSettings = { most: 64, patience: 1, timeLimit: 60 };

/** The share of the rows that is held out. */
const HELD_OUT = 0.2;
/** Rows that the choice looks at: more would not change it, only take longer. */
const ENOUGH_ROWS = 20_000;
/** A component needs at least this many rows to be worth trying. */
const ROWS_PER_COMPONENT = 10;

/** A size and the columns that get a Gaussian, with what held-out rows say about it. */
export interface Candidate extends HeldOutScore {
  /** Positions of the columns in the block. */
  readonly block: readonly number[];
}

/**
 * Compares mixtures of 1, 2, 4, 8, … components by the likelihood of held-out rows, for each of the given blocks of numeric
 * columns. All of them conform with the classifier, so this is the paper's criterion for the best conformant model.
 * Returns the curve; the best candidate is the one with the largest likelihood. It is empty where no row can be held out.
 *
 * @param size the only size to try, instead of the ladder
 */
export function chooseComponents(
  classifier: Classifier,
  data: WeightedRows,
  settings: MixtureSettings,
  choice: ChoiceSettings,
  blocks: readonly (readonly number[])[] = [[]],
  size?: number,
  options: WatchOptions = {},
): Candidate[] {
  const watch = new Watch(options, "choosing");
  const [train, held] = holdOut(data, settings.seed);
  if (held.rows.length === 0) return [];
  const most = Math.max(1, Math.min(choice.most, Math.floor(train.rows.length / ROWS_PER_COMPONENT)));
  const deadline = Date.now() + 1000 * choice.timeLimit;
  const anyBlock = blocks.some(({ length }) => length > 0);
  const judge = { train, held, resolutions: anyBlock ? resolutionsOf(train) : undefined };
  const ladders = blocks.map((block) => ({ block, best: Number.NEGATIVE_INFINITY, failures: 0 }));
  const curve: Candidate[] = [];
  for (let components = size ?? 1; size !== undefined || components <= most; components *= 2) {
    const started = Date.now();
    const left = ladders.filter(({ failures }) => failures < choice.patience);
    for (const [at, ladder] of left.entries()) {
      const done = shareOfLadder(components, most, at / left.length);
      const part = watch.part(done, shareOfLadder(components, most, (at + 1) / left.length), [...curve]);
      const candidate = judgeCandidate(classifier, judge, components, settings, ladder.block, part);
      curve.push(candidate);
      watch.step(done, curve);
      ladder.failures = candidate.logLikelihood > ladder.best ? 0 : ladder.failures + 1;
      ladder.best = Math.max(ladder.best, candidate.logLikelihood);
    }
    const expectedEnd = Date.now() + 2 * (Date.now() - started);
    if (left.length === 0 || size !== undefined || expectedEnd > deadline) break;
  }
  return curve;
}

/** What is done of sizes 1, 2, 4, … up to `most`, each twice as dear as the one before, within the one of so many components. */
function shareOfLadder(components: number, most: number, within: number): number {
  return (components - 1 + within * components) / Math.max(2 * most - 1, 2 * components - 1);
}

/** The candidate with the largest held-out likelihood, the first of several. */
export function bestCandidate(curve: readonly Candidate[]): Candidate {
  return curve.reduce((best, score) => (score.logLikelihood > best.logLikelihood ? score : best));
}

interface Judge {
  readonly train: WeightedRows;
  readonly held: WeightedRows;
  /** Of numbers, where they may be described by densities. */
  readonly resolutions: readonly (Resolution | undefined)[] | undefined;
}

function judgeCandidate(
  classifier: Classifier,
  { train, held, resolutions }: Judge,
  components: number,
  settings: MixtureSettings,
  block: readonly number[],
  options: WatchOptions,
): Candidate {
  const { best, problem } = fitRows(classifier, train, components, settings, block, options);
  if (!resolutions) {
    return { components, logLikelihood: heldOutLikelihood(problem, best, held), block };
  }
  return {
    components,
    logLikelihood: recordedLikelihood(problem, best, held, resolutions),
    gaussian: block.map((i) => classifier.schema.columns[i].name),
    block,
  };
}

/** Splits the rows, or a sample of them, at random into those to fit and those to judge by. */
function holdOut({ table, rows, weights }: WeightedRows, seed: number): [WeightedRows, WeightedRows] {
  const generator = random(seed);
  const shuffled = rows.filter((r) => weights[r] > 0);
  for (let s = shuffled.length - 1; s > 0; s--) {
    const other = generator.integer(s + 1);
    [shuffled[s], shuffled[other]] = [shuffled[other], shuffled[s]];
  }
  const sample = shuffled.subarray(0, ENOUGH_ROWS);
  const cut = Math.max(1, Math.round(sample.length * HELD_OUT));
  const [learn, held] = keepEveryColumn(table, sample.slice(cut), sample.slice(0, cut));
  return [
    { table, rows: learn, weights },
    { table, rows: held, weights },
  ];
}
