import {
  BASELINE_NAMES,
  type BaselineName,
  fitBaseline,
  type Model,
  predictColumns,
  type Table,
  type WatchOptions,
} from "conformant";
import { closest } from "../arguments/closest.ts";
import type { Messages } from "../arguments/command.ts";
import { CliError } from "../errors.ts";
import { watchWork } from "../terminal/watch-work.ts";

/** Something that answers rows with gaps, by its name in results. */
export interface Method {
  readonly name: string;
  /** rows × K. */
  readonly predict: (table: Table, watch?: WatchOptions) => Float64Array;
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
  messages: Messages,
): Method[] {
  const classifier = { ...model.classifier, label };
  const ours: Method = {
    name: "ours",
    predict: (table, watch) => predictColumns(model, table, watch).probabilities,
  };
  return [
    ours,
    ...rivals.map((name, r): Method => {
      const watch = watchWork(messages, r, rivals.length, `learning ${name}`);
      const baseline = fitBaseline(name as BaselineName, classifier, training, watch);
      return { name, predict: (table, watch) => baseline.predict(table, watch).probabilities };
    }),
  ];
}
