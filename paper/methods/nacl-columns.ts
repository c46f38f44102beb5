import { conform } from "conformant";
import { scoresOfModel } from "../protocol/scores/additive-scores.ts";
import type { AdditiveMethod } from "./method.ts";

/** The same with a one-hot group as one column, which is what `conform` does when it is not told otherwise. */
export const naclColumns: AdditiveMethod = {
  name: "nacl_columns",
  label: "NaCL, a group as one column",
  // Where every column is one bit the two are the same.
  applies: ({ categorical }) => categorical,
  scores: ({ classifier, dataset, protocol }) => {
    const { training, test } = dataset;
    return scoresOfModel(conform(classifier, training, { pseudocount: protocol.pseudocount }), test.schema);
  },
};
