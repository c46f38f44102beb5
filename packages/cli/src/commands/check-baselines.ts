import type { Model } from "conformant";
import { treesOf } from "conformant/trees";
import { NATIVE } from "conformant-workbench";
import { BASELINE_NAMES, type BaselineName } from "conformant-workbench/baselines";
import { CliError, quoted } from "../errors.ts";
import { closest } from "../options/closest.ts";

/** A method that `--against` names. */
export type Rival = BaselineName | typeof NATIVE;

/** The methods that `--against` knows; what the library gains as a baseline is known here at once. */
export const RIVALS: readonly string[] = BASELINE_NAMES;

/** What is compared where nothing is said: cheap on any table. */
export const USUAL_RIVALS: readonly string[] = ["mean", "median", "most_frequent"];

/** Throws for a name that is no method. */
export function checkRivals(names: readonly string[]): asserts names is readonly Rival[] {
  const known = [...RIVALS, NATIVE];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const near = closest(stranger, known);
  throw new CliError("usage", `--against knows ${known.join(", ")}, got ${quoted(stranger)}`, {
    hint: near && `did you mean ${near}?`,
  });
}

/** Throws for a method that a model cannot have. */
export function requireNative(model: Model, rivals: readonly Rival[]): void {
  if (treesOf(model) || !rivals.includes(NATIVE)) return;
  throw new CliError("usage", `--against ${NATIVE} is for models of trees, which know where to send a gap`);
}
