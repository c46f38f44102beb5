import { type Classifier, conform, predictColumns, type Table, train } from "conformant";
import { type Dataset, LABEL } from "../datasets/dataset.ts";
import { classifierOfBits, toBits } from "./bits.ts";
import type { Protocol } from "./protocol.ts";

/** A dataset with its classifier, trained on the complete training rows: where every method starts. */
export interface Setup {
  readonly dataset: Dataset;
  readonly protocol: Protocol;
  readonly classifier: Classifier;
  /** The same in one-hot bits, as the paper's own method and its naive Bayes see it. */
  readonly bits: { readonly classifier: Classifier; readonly training: Table };
  /**
   * The rows that min, max, mean and median are taken of: the training rows, and with the authors' split the complete
   * test rows, because that is where the authors took them.
   */
  readonly constantsFrom: Table;
  /** rows × K: the classifier's predictions for the complete test rows. */
  readonly full: Float64Array;
  /** The class of every test row, by its position among the classifier's classes. */
  readonly truth: Int32Array;
}

/** Trains the classifier, unless `keep` has it already, and answers the complete test rows. */
export function prepare(
  dataset: Dataset,
  protocol: Protocol,
  keep: (make: () => Classifier) => Classifier = (make) => make(),
): Setup {
  const classifier = keep(() => train(dataset.training, { label: LABEL, l2: protocol.l2 }));
  const bits = toBits(dataset.training, LABEL);
  // With nothing missing a conformant model answers as the classifier does.
  const full = predictColumns(conform(classifier, dataset.training), dataset.test).probabilities;
  return {
    dataset,
    protocol,
    classifier,
    bits: { classifier: classifierOfBits(classifier, withoutLabel(bits)), training: bits },
    constantsFrom: protocol.split === "authors" ? dataset.test : dataset.training,
    full,
    truth: Int32Array.from(dataset.testLabels, (label) => classifier.classes.indexOf(label)),
  };
}

function withoutLabel(table: Table): Table {
  const isLabel = table.schema.columns.map(({ name }) => name === LABEL);
  return {
    ...table,
    schema: { columns: table.schema.columns.filter((_, i) => !isLabel[i]) },
    columns: table.columns.filter((_, i) => !isLabel[i]),
  };
}
