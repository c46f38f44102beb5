import { pickRows } from "conformant/internal";
import { shuffle } from "../protocol/shuffle.ts";
import { baseline } from "./baseline.ts";
import { atRates, type RowMethod } from "./method.ts";

/** The mean of the 10 nearest of some random training rows, since their cost is test rows × training rows. */
export const knn: RowMethod = {
  name: "knn",
  label: "Nearest neighbors",
  applies: atRates,
  fit: (setup) => {
    const { training } = setup.dataset;
    const donors = pickRows(training, shuffle(training.rows, 0).subarray(0, setup.protocol.donors));
    const among = { ...setup, dataset: { ...setup.dataset, training: donors } };
    return baseline("knn", { knn: { neighbors: 10 } })(among);
  },
};
