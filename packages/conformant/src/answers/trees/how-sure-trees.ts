import { requireInteger } from "../../errors.ts";
import { type Certainty, certaintyFrom } from "../../queries/certainty/how-sure.ts";
import { type HowSureOptions, readHowSureOptions } from "../../queries/certainty/how-sure-options.ts";
import { decide } from "../../queries/terms/decision.ts";
import { encodeRow } from "../../queries/terms/query-input.ts";
import type { Row } from "../../schema/data.ts";
import { Watch } from "../../watch.ts";
import { expectationOf } from "./expectation/expected-answer.ts";
import type { TreeModel } from "./tree-model.ts";

/** {@link howSure} for trees: their answers to all cells of the missing columns, or to drawn completions. */
export function howSureTrees(model: TreeModel, row: Row, options: HowSureOptions = {}): Certainty {
  const watch = new Watch(options, "drawing");
  const { enumerate = 16384, samples = 10_000, seed = 0 } = options;
  requireInteger("options.samples", samples, 1);
  requireInteger("options.enumerate", enumerate, 0);
  const { classes } = model.trees;
  const K = classes.length;
  const table = encodeRow(model, row, options);
  const settings = { enumerate, samples, seed };
  const { answers, weights, exact } = expectationOf(model).completions(table, 0, settings);
  watch.step(0.5);
  const probabilities = new Float64Array(K);
  for (let at = 0; at < answers.length; at++)
    probabilities[at % K] += weights[Math.floor(at / K)] * answers[at];
  const request = readHowSureOptions(model, probabilities, options);
  const logs = new Float64Array(K);
  let share = 0;
  const list = Array.from(weights, (weight, p) => {
    for (let k = 0; k < K; k++) logs[k] = Math.log(answers[p * K + k]);
    if (request.same(logs)) share += weight;
    return { p: answers[p * K + request.k], weight };
  });
  return {
    prediction: classes[decide(probabilities).class],
    class: classes[request.k],
    probability: probabilities[request.k],
    level: request.level,
    ...certaintyFrom(list, share, request.level, exact ? undefined : samples),
  };
}
