import type { Model } from "conformant";
import { treesOf } from "conformant/trees";
import { NATIVE } from "conformant-workbench";
import { BASELINE_NAMES, type BaselineName } from "conformant-workbench/baselines";
import { CliError, quoted } from "../errors.ts";
import { closest } from "../options/closest.ts";

/** A baseline that `--against` names. */
export type ComparedMethod = BaselineName | typeof NATIVE;

/** All baselines of `--against`; new ones of the library are included automatically. */
export const COMPARED_METHODS: readonly string[] = BASELINE_NAMES;

/** The default baselines, which are fast on any table. */
export const DEFAULT_BASELINES: readonly string[] = ["mean", "median", "most_frequent"];

/** Throws for an unknown baseline. */
export function checkBaselines(names: readonly string[]): asserts names is readonly ComparedMethod[] {
  const known = [...COMPARED_METHODS, NATIVE];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const near = closest(stranger, known);
  throw new CliError("usage", `--against accepts ${known.join(", ")}, got ${quoted(stranger)}`, {
    hint: near && `did you mean ${near}?`,
  });
}

/** Throws for a baseline that the model does not support. */
export function requireNative(model: Model, baselines: readonly ComparedMethod[]): void {
  if (treesOf(model) || !baselines.includes(NATIVE)) return;
  throw new CliError(
    "usage",
    `--against ${NATIVE} requires a tree model: only trees handle missing values themselves`,
  );
}
