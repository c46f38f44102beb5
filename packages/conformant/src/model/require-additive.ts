import { ConformantError, requireMade } from "../errors.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";

/** Throws where trees answer: what is asked for has a closed form for additive classifiers only. */
export function requireAdditive(model: { readonly trees?: TreeClassifier | undefined }, what: string): void {
  requireMade("model", model);
  const { trees } = model;
  if (!trees) return;
  const message = `${what} is for models of additive classifiers, got one of ${trees.roots.length} trees`;
  throw new ConformantError("invalid-argument", message, { argument: "model" });
}
