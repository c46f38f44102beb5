import { isAdditive } from "../methods/method.ts";
import { methodOf } from "../methods/methods.ts";
import type { FittedMethods } from "./fitted-methods.ts";
import { seedOf } from "./random.ts";
import { drawRemoval, type Removal, removeColumns, singleColumns } from "./removal.ts";
import { followRows } from "./scores/follow-rows.ts";
import { type Scores, score } from "./scores/metrics.ts";
import type { Setup } from "./setup.ts";

/** The scores of some methods in one repeat: per method one entry per number of missing columns, null where it has none. */
export type RepeatScores = Readonly<Record<string, readonly (Scores | null)[]>>;

/** The seed of what goes missing in a repeat. */
export function removalSeed(seed: number, dataset: string, repeat: number): number {
  return seedOf(seed, dataset, repeat);
}

/**
 * One repeat: the same columns go missing for every method. What is missing depends only on the seed, the dataset and the
 * repeat, so a method gives the same scores alone and among others.
 */
export function evaluateRepeat(
  fitted: FittedMethods,
  methods: readonly string[],
  seed: number,
  repeat: number,
  progress: (done: number, of: number) => void = () => {},
): RepeatScores {
  const { dataset } = fitted.setup;
  const groups = dataset.groups ?? singleColumns(dataset.test);
  const removal = drawRemoval(dataset.test.rows, groups, removalSeed(seed, dataset.name, repeat));
  const additive = methods.filter((name) => isAdditive(methodOf(name)));
  const others = methods.filter((name) => !additive.includes(name));
  return {
    ...followAll(fitted, additive, removal),
    ...predictAll(fitted, others, removal, seedOf(seed, dataset.name, repeat, "draws"), progress),
  };
}

function followAll(fitted: FittedMethods, names: readonly string[], removal: Removal): RepeatScores {
  if (names.length === 0) return {};
  const { protocol } = fitted.setup;
  const scores = followRows(fitted.additive(names), removal, protocol.missing, judgementOf(fitted.setup));
  return Object.fromEntries(names.map((name, m) => [name, scores[m]]));
}

function predictAll(
  fitted: FittedMethods,
  names: readonly string[],
  removal: Removal,
  seed: number,
  progress: (done: number, of: number) => void,
): RepeatScores {
  const { dataset, protocol, classifier } = fitted.setup;
  const { full, truth, added } = judgementOf(fitted.setup);
  const scores = new Map(names.map((name) => [name, [] as (Scores | null)[]]));
  protocol.missing.forEach((missing, at) => {
    progress(at, protocol.missing.length);
    const asked = names.filter((name) => methodOf(name).applies?.(protocol, missing) ?? true);
    const rows = asked.length > 0 ? removeColumns(dataset.test, removal, missing) : undefined;
    for (const [name, own] of scores) {
      if (!rows || !asked.includes(name)) own.push(null);
      else {
        const predicted = fitted.predictor(name).predict(rows, seed);
        own.push(score(full, predicted, truth, classifier.classes.length, added));
      }
    }
  });
  return Object.fromEntries(scores);
}

/** What predictions are scored by. */
export function judgementOf({ full, truth, protocol }: Setup): {
  full: Float64Array;
  truth: Int32Array;
  added: number;
} {
  return { full, truth, added: protocol.added };
}
