import {
  BASELINE_NAMES,
  type BaselineName,
  fitBaseline,
  type Model,
  predictColumns,
  type Table,
} from "conformant";
import { closest } from "../arguments/closest.ts";
import { CliError } from "../errors.ts";

/** Something that answers rows with gaps, by its name in results. */
export interface Method {
  readonly name: string;
  /** rows × K. */
  readonly predict: (table: Table) => Float64Array;
}

/** The methods that `--against` knows; what the library gains as a baseline is known here at once. */
export const RIVALS: readonly string[] = BASELINE_NAMES;

/** What is compared where nothing is said: cheap on any table. */
export const USUAL_RIVALS: readonly string[] = ["mean", "median", "most_frequent"];

/** Throws for a name that is no method. */
export function checkRivals(names: readonly string[]): void {
  const stranger = names.find((name) => !RIVALS.includes(name));
  if (stranger === undefined) return;
  const near = closest(stranger, RIVALS);
  throw new CliError("usage", `--against knows ${RIVALS.join(", ")}, got "${stranger}"`, {
    hint: near && `did you mean ${near}?`,
  });
}

/** Our model, and each rival fitted on the training rows. */
export function createMethods(
  model: Model,
  rivals: readonly string[],
  training: Table,
  label: string,
): Method[] {
  const classifier = { ...model.classifier, label };
  const ours: Method = { name: "ours", predict: (table) => predictColumns(model, table).probabilities };
  return [
    ours,
    ...rivals.map((name): Method => {
      const baseline = fitBaseline(name as BaselineName, classifier, training);
      return { name, predict: (table) => baseline.predict(table).probabilities };
    }),
  ];
}
