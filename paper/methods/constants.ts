import { fitConstants, type Statistic } from "conformant-workbench/baselines";
import { scoresWithConstants } from "../protocol/scores/additive-scores.ts";
import type { AdditiveMethod } from "./method.ts";

/** A gap is filled with a statistic of its column; of a one-hot group with that of each bit. */
function constant(name: Statistic, label: string): AdditiveMethod {
  return {
    name,
    label,
    scores: ({ classifier, constantsFrom }) => {
      const { constants } = fitConstants(classifier.schema, constantsFrom, name);
      if (!constants) throw new Error("unreachable: a statistic is a constant");
      return scoresWithConstants(classifier, constants);
    },
  };
}

/** The paper's four imputations. */
export const [min, max, mean, median] = [
  constant("min", "Min"),
  constant("max", "Max"),
  constant("mean", "Mean"),
  constant("median", "Median"),
];
