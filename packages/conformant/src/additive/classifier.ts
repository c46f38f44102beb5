import { ConformantError, requireMade, show, showNames } from "../errors.ts";
import type { Response } from "../predictors/predictor.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { type Column, checkSchema, type Schema, slotCount, slotOffsets } from "../schema/column.ts";

/** How training went. */
export interface TrainingReport {
  readonly status: "converged" | "iteration-limit" | "stalled";
  readonly iterations: number;
  /** Largest absolute entry of the gradient of the mean penalised loss, at the end. */
  readonly gradientNorm: number;
  /** Σ weight·loss + ½·l2·‖w‖² at the end, in scikit-learn's scaling. */
  readonly objective: number;
  readonly l2: number;
  readonly rows: number;
  /** Rows that were left out because a column or the label was missing. */
  readonly rowsWithGaps: number;
  /** Rows with gaps that were trained on after their gaps had been filled by draws; they count among `rows`. */
  readonly rowsCompleted?: number;
}

/**
 * An additive logit model, F_k(x) = softmax_k( b_k + Σ_i s_ki(x_i) ), with s_ki(x) = w_ki·x for numeric and binary
 * columns and s_ki(v) = w_kiv for value v of a categorical or binned one. Two classes: the scores of the first are 0.
 */
export interface Classifier extends ClassTilt {
  readonly kind: "additive";
  readonly classes: readonly string[];
  /** The name of the column that was learned, where it is known. */
  readonly label?: string;
  readonly training?: TrainingReport;
}

/**
 * Builds a classifier from its parts after checking all of them.
 *
 *     createClassifier({ schema, classes: ["no", "yes"], intercept, weights }); // weights: slots × classes
 */
export function createClassifier(parts: Omit<Classifier, "kind">): Classifier {
  requireMade("classifier", parts, "parts");
  const { classes, intercept, weights } = parts;
  const schema = checkSchema(parts.schema);
  checkClasses(classes);
  checkNumbers("intercept", intercept, classes.length, `one per class (${classes.length})`);
  const slots = slotOffsets(schema)[schema.columns.length];
  checkNumbers("weights", weights, slots * classes.length, `slots × classes (${slots} × ${classes.length})`);
  return {
    ...parts,
    kind: "additive",
    intercept: Float64Array.from(intercept),
    weights: Float64Array.from(weights),
  };
}

function checkClasses(classes: unknown): void {
  const ok =
    Array.isArray(classes) &&
    classes.length >= 2 &&
    classes.every((name) => typeof name === "string" && name !== "");
  if (!ok || new Set(classes).size !== classes.length) {
    const message = `classes must be a list of two or more distinct non-empty strings, got ${show(classes)}`;
    throw new ConformantError("invalid-argument", message, { argument: "classes", value: classes });
  }
}

function checkNumbers(argument: string, numbers: ArrayLike<number>, length: number, need: string): void {
  if (numbers?.length !== length) {
    const message = `${argument} must have ${length} numbers, ${need}, got ${show(numbers)}`;
    throw new ConformantError("invalid-weights", message, { argument, value: numbers });
  }
  for (let j = 0; j < length; j++) {
    if (!Number.isFinite(numbers[j])) {
      const message = `${argument}[${j}] must be a finite number, got ${show(numbers[j])}`;
      throw new ConformantError("invalid-weights", message, { argument, value: numbers[j] });
    }
  }
}

/** The position of a class, or an error that lists the classes. */
export function classIndex(classes: readonly string[], name: string): number {
  const k = classes.indexOf(name);
  if (k >= 0) return k;
  const message = `${show(name)} is not a class; the classes are ${showNames(classes)}`;
  throw new ConformantError("unknown-class", message, { value: name });
}

/**
 * The classifier on more columns, behind its own and without weights: what it answers stays as it is, to the last bit, and a
 * distribution that conforms with it may tell missing columns from them.
 */
export function addColumns(classifier: Classifier, columns: readonly Column[]): Classifier {
  if (columns.length === 0) return classifier;
  const { classes, weights } = classifier;
  const schema: Schema = checkSchema({ columns: [...classifier.schema.columns, ...columns] });
  const slots = columns.reduce((sum, column) => sum + slotCount(column), 0);
  const wider = new Float64Array(weights.length + slots * classes.length);
  wider.set(weights);
  return createClassifier({
    ...classifier,
    schema,
    weights: wider,
  });
}

/** What it answers. */
export function additiveResponse({ classes }: Classifier): Response {
  return { kind: "classes", outputs: classes };
}
