import { ConformantError } from "../errors.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";

/** Throws where trees answer: what is asked for has a closed form for additive classifiers only. */
export function requireAdditive(
  { trees }: { readonly trees?: TreeClassifier | undefined },
  what: string,
): void {
  if (!trees) return;
  const message = `${what} is for models of additive classifiers, got one of ${trees.roots.length} trees`;
  throw new ConformantError("invalid-argument", message, { argument: "model" });
}
