import { conform } from "conformant";
import { scoresOfModel } from "../protocol/scores/additive-scores.ts";
import type { AdditiveMethod } from "./method.ts";

/** The paper's own: naive conformant learning on independent one-hot bits. */
export const nacl: AdditiveMethod = {
  name: "nacl",
  label: "NaCL",
  scores: ({ bits, dataset, protocol }) => {
    const model = conform(bits.classifier, bits.training, { pseudocount: protocol.pseudocount });
    return scoresOfModel(model, dataset.test.schema);
  },
};
