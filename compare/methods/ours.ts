import { conformMixture, type HeldOutScore, type Model, predictColumns, type Table } from "conformant";
import type { CompareMethod, Task } from "./compare-method.ts";

/** The training rows in the classifier's columns. */
export function featuresOf({ classifier, training }: Task): Table {
  const { columns } = classifier.schema;
  return { ...training, schema: classifier.schema, columns: training.columns.slice(0, columns.length) };
}

/** The distribution as it comes by default; no time limit, so that results do not depend on the machine. */
export function fitOurs(task: Task): Model {
  return conformMixture(task.classifier, featuresOf(task), { timeLimit: 1e9 });
}

/** One of the candidates that the default chose from. */
export function fitCandidate(task: Task, { components, gaussian = [] }: HeldOutScore): Model {
  return conformMixture(task.classifier, featuresOf(task), { components, numeric: gaussian });
}

export const ours: CompareMethod = {
  name: "ours",
  imputes: false,
  learn: (task) => {
    const model = fitOurs(task);
    return (rows) => predictColumns(model, rows).probabilities;
  },
};
