import { isAdditive } from "../methods/method.ts";
import { methodOf } from "../methods/methods.ts";
import { judgementOf } from "./evaluate-repeat.ts";
import { type FittedMethods, fittedMethods } from "./fitted-methods.ts";
import { seedOf } from "./random.ts";
import { drawRemoval, removeColumns, singleColumns } from "./removal.ts";
import { followRows } from "./scores/follow-rows.ts";

/** Seconds to fit a method, and to answer all test rows at one per cent missing. */
export interface MethodSeconds {
  readonly fit: number;
  readonly predict: number;
}

/** Lets each method answer the rows of Q1, one after the other. */
export function timeMethods(
  fitted: FittedMethods,
  methods: readonly string[],
  seed: number,
): Record<string, MethodSeconds> {
  const { dataset, protocol } = fitted.setup;
  const groups = dataset.groups ?? singleColumns(dataset.test);
  const removal = drawRemoval(dataset.test.rows, groups, seedOf(seed, dataset.name, "times"));
  const rows = removeColumns(dataset.test, removal, protocol.onePercent);
  const judgement = judgementOf(fitted.setup);
  return Object.fromEntries(
    methods.map((name): [string, MethodSeconds] => {
      if (!isAdditive(methodOf(name))) {
        const { predict, seconds } = fitted.predictor(name);
        return [name, { fit: seconds, predict: secondsOf(() => predict(rows, seed)) }];
      }
      // Of its own, so that its fit is not among those of others.
      const alone = fittedMethods(fitted.setup);
      const fit = secondsOf(() => alone.additive([name]));
      const follow = (): unknown =>
        followRows(alone.additive([name]), removal, [protocol.onePercent], judgement);
      return [name, { fit, predict: secondsOf(follow) }];
    }),
  );
}

function secondsOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
