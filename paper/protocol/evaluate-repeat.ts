import { maskColumns } from "./mask.ts";
import { METHODS, type Predictor } from "./methods.ts";
import { type Scores, score } from "./metrics.ts";
import { seedOf } from "./random.ts";
import type { Setup } from "./setup.ts";

/** The scores of some methods in one repeat: per method one entry per number of missing columns, null where it has none. */
export type RepeatScores = Readonly<Record<string, readonly (Scores | null)[]>>;

/** Fits each method once and keeps it for the next repeats. */
export function fittedMethods(setup: Setup): (name: string) => Predictor {
  const fitted = new Map<string, Predictor>();
  return (name) => {
    const predictor = fitted.get(name) ?? METHODS[name].prepare(setup);
    fitted.set(name, predictor);
    return predictor;
  };
}

/**
 * One repeat: for each number of missing columns the same masked rows go to every method. What is missing depends only
 * on the seed, the dataset, the repeat and the number, so a method gives the same scores alone and among others.
 */
export function evaluateRepeat(
  setup: Setup,
  predictorOf: (name: string) => Predictor,
  methods: readonly string[],
  seed: number,
  repeat: number,
  progress: (done: number, of: number) => void = () => {},
): RepeatScores {
  const { dataset, protocol, classifier, full, truth } = setup;
  const scores = methods.map((): (Scores | null)[] => []);
  protocol.missing.forEach((missing, at) => {
    progress(at, protocol.missing.length);
    const rows = maskColumns(dataset.test, missing, seedOf(seed, dataset.name, repeat, missing));
    methods.forEach((name, m) => {
      const asked = METHODS[name].applies?.(protocol, missing) ?? true;
      scores[m].push(asked ? score(full, predictorOf(name)(rows), truth, classifier.classes.length) : null);
    });
  });
  return Object.fromEntries(methods.map((name, m) => [name, scores[m]]));
}
