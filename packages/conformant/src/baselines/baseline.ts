import type { Classifier } from "../classifier/classifier.ts";
import { ConformantError, requireMade, requireOptions, show } from "../errors.ts";
import { type Predictions, predictColumns } from "../queries/prediction/predict.ts";
import type { Data } from "../schema/data.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";
import { weightless } from "../trees/weightless.ts";
import type { WatchOptions } from "../watch.ts";
import { classifyImputed } from "./classify-imputed.ts";
import { fitImputer, type ImputerOptions } from "./imputers/fit-imputer.ts";
import type { ImputerMethod } from "./imputers/imputer.ts";
import { inOrderOf } from "./in-order-of.ts";
import { type ReducedModelsOptions, reducedModels } from "./reduced-models.ts";
import { type NaiveBayesOptions, trainNaiveBayes } from "./train-naive-bayes.ts";

/** The rivals of the expected prediction, by the names they have in results. */
export const BASELINE_NAMES = [
  "min",
  "max",
  "mean",
  "median",
  "most_frequent",
  "em",
  "mice",
  "knn",
  "naive_bayes",
  "reduced",
] as const;

/** One of {@link BASELINE_NAMES}. */
export type BaselineName = (typeof BASELINE_NAMES)[number];

/** Something else that answers rows with gaps, fitted on training data alone. */
export interface Baseline {
  readonly name: BaselineName;
  /** Class probabilities in the order of the classifier's classes; one row or many. */
  predict(data: Data, options?: WatchOptions): Predictions;
}

/** The settings of the rivals that have any. */
export interface BaselineOptions extends ImputerOptions {
  /** Settings of naive Bayes; the label is the classifier's. */
  readonly naiveBayes?: Pick<NaiveBayesOptions, "pseudocount" | "bins">;
  /** Settings of the reduced models. */
  readonly reduced?: Omit<ReducedModelsOptions, "label">;
}

/**
 * Fits a rival by name. The imputers fill gaps for the given classifier or trees; naive Bayes and the reduced models learn from
 * the labels of the training data, in the column that the classifier calls its label.
 */
export function fitBaseline(
  name: BaselineName,
  given: Classifier | TreeClassifier,
  training: Data,
  options: BaselineOptions = {},
): Baseline {
  requireMade("classifier of any kind", given, "classifier");
  requireOptions(options);
  const classifier = "kind" in given ? weightless(given) : given;
  if (name === "naive_bayes") return naiveBayesBaseline(classifier, training, options);
  if (name === "reduced") {
    const label = labelOf(classifier, name);
    const models = reducedModels(classifier, training, { ...options.reduced, label });
    return { name, predict: (data, watch) => models.predict(data, watch) };
  }
  if (!BASELINE_NAMES.includes(name)) {
    const message = `a baseline is one of ${BASELINE_NAMES.join(", ")}, got ${show(name)}`;
    throw new ConformantError("invalid-argument", message, { argument: "name", value: name });
  }
  const imputer = fitImputer(name satisfies ImputerMethod, classifier.schema, training, options);
  return { name, predict: (data, watch) => classifyImputed(given, imputer, data, watch) };
}

function naiveBayesBaseline(classifier: Classifier, training: Data, options: BaselineOptions): Baseline {
  const label = labelOf(classifier, "naive_bayes");
  const columns = classifier.schema.columns.map((column) => column.name);
  const types = Object.fromEntries(
    classifier.schema.columns.flatMap(({ name, kind }) => (kind === "binned" ? [] : [[name, kind] as const])),
  );
  const model = trainNaiveBayes(training, { ...options.naiveBayes, label, columns, types });
  const predict = (data: Data, watch: WatchOptions = {}): Predictions =>
    inOrderOf(classifier.classes, predictColumns(model, data, { ...watch, extra: "ignore" }));
  return { name: "naive_bayes", predict };
}

function labelOf({ label }: Classifier, name: string): string {
  if (label !== undefined) return label;
  const message = `${name} learns from labels, but the classifier does not name its label column`;
  throw new ConformantError("invalid-argument", message, { argument: "classifier" });
}
