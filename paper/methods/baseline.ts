import { type BaselineName, type BaselineOptions, fitBaseline } from "conformant-workbench/baselines";
import type { RowMethod } from "./method.ts";

/** How one of the library's baselines is fitted on the training rows. */
export function baseline(name: BaselineName, options: BaselineOptions = {}): RowMethod["fit"] {
  return ({ classifier, dataset }) => {
    const baseline = fitBaseline(name, classifier, dataset.training, options);
    return (rows) => baseline.predict(rows).probabilities;
  };
}
