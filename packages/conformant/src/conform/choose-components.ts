import type { Classifier } from "../classifier/classifier.ts";
import { random } from "../math/random.ts";
import { splitRows } from "./atom-rows.ts";
import { expectation } from "./expectation.ts";
import { fitRows, type WeightedRows } from "./fit-rows.ts";
import type { MixtureSettings } from "./mixture-settings.ts";

/** A size of the ladder and how likely it makes rows that it has not seen. */
export interface HeldOutScore {
  readonly components: number;
  /** Mean log-likelihood of the held-out rows, over their known columns. */
  readonly logLikelihood: number;
}

/** How the number of components is chosen. */
export interface ChoiceSettings {
  /** The largest size tried. Default 64. */
  readonly most: number;
  /** Sizes in a row that may fail to improve before the search ends. Default 1. */
  readonly patience: number;
  /** Seconds after which no further size is tried. Default 60. */
  readonly timeLimit: number;
}

export const defaultChoice: ChoiceSettings = { most: 64, patience: 1, timeLimit: 60 };

/** The share of the rows that is held out. */
const HELD_OUT = 0.2;
/** Rows that the choice looks at: more would not change it, only take longer. */
const ENOUGH_ROWS = 20_000;
/** A component needs at least this many rows to be worth trying. */
const ROWS_PER_COMPONENT = 10;

/**
 * Compares mixtures of 1, 2, 4, 8, … components by the likelihood of held-out rows. All of them conform with the
 * classifier, so this is the paper's criterion for the best conformant model. Returns the curve; the best size is the one
 * with the largest likelihood.
 */
export function chooseComponents(
  classifier: Classifier,
  data: WeightedRows,
  settings: MixtureSettings,
  choice: ChoiceSettings,
): HeldOutScore[] {
  const [train, held] = holdOut(data, settings.seed);
  const most = Math.max(1, Math.min(choice.most, Math.floor(train.rows.length / ROWS_PER_COMPONENT)));
  const deadline = Date.now() + 1000 * choice.timeLimit;
  const curve: HeldOutScore[] = [];
  let best = Number.NEGATIVE_INFINITY;
  let failures = 0;
  for (let components = 1; components <= most && failures < choice.patience; components *= 2) {
    const logLikelihood = heldOutLikelihood(classifier, train, held, components, settings);
    curve.push({ components, logLikelihood });
    failures = logLikelihood > best ? 0 : failures + 1;
    best = Math.max(best, logLikelihood);
    if (Date.now() > deadline) break;
  }
  return curve;
}

/** The size with the largest held-out likelihood. */
export function bestSize(curve: readonly HeldOutScore[]): number {
  return curve.reduce((best, score) => (score.logLikelihood > best.logLikelihood ? score : best)).components;
}

function heldOutLikelihood(
  classifier: Classifier,
  train: WeightedRows,
  held: WeightedRows,
  components: number,
  settings: MixtureSettings,
): number {
  const { best, problem } = fitRows(classifier, train, components, settings);
  const rows = splitRows(held.table, problem.atoms, classifier.intercept, held.rows, held.weights);
  const { logLikelihood } = expectation(problem.atoms, classifier.intercept, best.components, rows);
  return logLikelihood / rows.totalWeight;
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
  return [
    { table, rows: sample.slice(cut), weights },
    { table, rows: sample.slice(0, cut), weights },
  ];
}
