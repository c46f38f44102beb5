import { completionSpace } from "../../src/distribution/completion-space.ts";
import { enumerateCompletions } from "../../src/distribution/completions.ts";
import { answerOfTrees } from "../../src/entries/trees.ts";
import { encode, type Model, type Row, type TreeClassifier } from "../../src/index.ts";

/** The trees' answer averaged over every completion, one by one: P(completion) from the mixture, the answer from a walk down each tree. */
export function enumerated(model: Model<TreeClassifier>, row: Row): { p: Float64Array; weight: number }[] {
  const table = encode(model.schema, [row]);
  const space = completionSpace(model, table, 0);
  const x = Float64Array.from(table.columns, (cells) => cells[0]);
  const all: { p: Float64Array; weight: number }[] = [];
  enumerateCompletions(space, (atoms, weight) => {
    space.missing.forEach(({ index }, j) => {
      x[index] = model.atoms.columns[index].values?.[atoms[j]] ?? atoms[j];
    });
    all.push({ p: answerOfTrees(model.predictor, x), weight });
  });
  return all;
}

/** Their mean: K numbers. */
export function meanOf(all: { p: Float64Array; weight: number }[]): Float64Array {
  return all[0].p.map((_, k) => all.reduce((sum, { p, weight }) => sum + weight * p[k], 0));
}
