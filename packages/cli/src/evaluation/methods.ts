import { type Model, predictColumns, type Table, type TreeClassifier } from "conformant";
import { BASELINE_NAMES, type BaselineName, fitBaseline } from "conformant/baselines";
import { answerRows } from "conformant/trees";
import { type Method, watchWork } from "conformant-workbench";
import { closest } from "../arguments/closest.ts";
import type { Messages } from "../arguments/command.ts";
import { CliError, quoted } from "../errors.ts";

/** The methods that `--against` knows; what the library gains as a baseline is known here at once. */
export const RIVALS: readonly string[] = BASELINE_NAMES;

/** What the trees' own software does with gaps. */
const NATIVE = "native";

/** What is compared where nothing is said: cheap on any table. */
export const USUAL_RIVALS: readonly string[] = ["mean", "median", "most_frequent"];

/** Throws for a name that is no method. */
export function checkRivals(names: readonly string[]): void {
  const known = [...RIVALS, NATIVE];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const near = closest(stranger, known);
  throw new CliError("usage", `--against knows ${known.join(", ")}, got ${quoted(stranger)}`, {
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
  const { trees } = model;
  const classifier = { ...(trees ?? model.classifier), label };
  const ours: Method = {
    name: "ours",
    predict: (table, watch) => predictColumns(model, table, watch).probabilities,
  };
  return [
    ours,
    ...rivals.map((name, r): Method => {
      if (name === NATIVE) return nativeMethod(trees);
      const watch = watchWork(messages, r, rivals.length, `learning ${name}`);
      const baseline = fitBaseline(name as BaselineName, classifier, training, watch);
      return { name, predict: (table, watch) => baseline.predict(table, watch).probabilities };
    }),
  ];
}

function nativeMethod(trees: TreeClassifier | undefined): Method {
  if (trees) return { name: NATIVE, predict: (table) => answerRows(trees, table) };
  const need = "is for models of trees, which know where to send a gap";
  throw new CliError("usage", `--against ${NATIVE} ${need}`);
}
