import { answerOfTrees, hasTrees, type TreeModel } from "../../src/entries/trees.ts";
import { encode, type Model, type Row } from "../../src/index.ts";
import { completionSpace } from "../../src/queries/completion/completion-space.ts";
import { enumerateCompletions } from "../../src/queries/completion/visit-completions.ts";

/** The model as one of trees. */
export function treesOf(model: Model): TreeModel {
  if (!hasTrees(model)) throw new Error("not a model of trees");
  return model;
}

/** The trees' answer averaged over every completion, one by one: P(completion) from the mixture, the answer from a walk down each tree. */
export function enumerated(model: TreeModel, row: Row): { p: Float64Array; weight: number }[] {
  const table = encode(model.trees.schema, [row]);
  const space = completionSpace(model, table, 0);
  const x = Float64Array.from(table.columns, (cells) => cells[0]);
  const all: { p: Float64Array; weight: number }[] = [];
  enumerateCompletions(space, (atoms, weight) => {
    space.missing.forEach(({ index }, j) => {
      x[index] = model.atoms.columns[index].values?.[atoms[j]] ?? atoms[j];
    });
    all.push({ p: answerOfTrees(model.trees, x), weight });
  });
  return all;
}

/** Their mean: K numbers. */
export function meanOf(all: { p: Float64Array; weight: number }[]): Float64Array {
  return all[0].p.map((_, k) => all.reduce((sum, { p, weight }) => sum + weight * p[k], 0));
}
