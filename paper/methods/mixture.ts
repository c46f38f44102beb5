import { conformMixture, predictColumns } from "conformant";
import { everyFourth, type RowMethod } from "./method.ts";

/** Components on images, where a comparison of sizes would take longer than everything else: the most it tries. */
const IMAGE_COMPONENTS = 64;

/** Past the paper: several components, each a naive conformant model. On images of a fixed size, else chosen. */
export const mixture: RowMethod = {
  name: "mixture",
  label: "Mixture",
  applies: everyFourth,
  fit: ({ classifier, dataset, protocol }) => {
    const components = protocol.measure === "accuracy" ? IMAGE_COMPONENTS : "auto";
    // No time limit: the size must not depend on the machine.
    const model = conformMixture(classifier, dataset.training, { components, timeLimit: 1e9 });
    return (rows) => predictColumns(model, rows).probabilities;
  },
};
