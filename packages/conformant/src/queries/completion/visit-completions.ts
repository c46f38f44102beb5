import { type Random, random } from "../../math/random.ts";
import type { CompletionSpace, MissingColumn } from "./completion-space.ts";

/** Called with the atom of each missing column (the array is reused) and the probability or weight of the completion. */
export type VisitCompletion = (atoms: Int32Array, weight: number) => void;

/** Visits every completion of a row with its probability P(x_missing | y). */
export function enumerateCompletions({ posterior, missing }: CompletionSpace, visit: VisitCompletion): void {
  const atoms = new Int32Array(missing.length);
  const descend = (depth: number, joint: Float64Array): void => {
    if (depth === missing.length) {
      visit(
        atoms,
        joint.reduce((sum, p) => sum + p, 0),
      );
      return;
    }
    const { count, conditional } = missing[depth];
    for (let v = 0; v < count; v++) {
      atoms[depth] = v;
      descend(
        depth + 1,
        joint.map((p, a) => p * conditional[v * joint.length + a]),
      );
    }
  };
  descend(0, posterior);
}

/** Visits `count` independent draws from P(x_missing | y), each with weight 1 / count; the same for the same seed. */
export function drawCompletions(
  { posterior, missing }: CompletionSpace,
  count: number,
  seed: number,
  visit: VisitCompletion,
): void {
  const g = random(seed);
  const atoms = new Int32Array(missing.length);
  for (let draw = 0; draw < count; draw++) {
    // First component and class, then each column by itself.
    const cell = drawIndex(posterior, 0, 1, posterior.length, g);
    for (let j = 0; j < missing.length; j++) atoms[j] = drawAtom(missing[j], cell, posterior.length, g);
    visit(atoms, 1 / count);
  }
}

function drawAtom({ count, conditional }: MissingColumn, cell: number, cells: number, g: Random): number {
  return drawIndex(conditional, cell, cells, count, g);
}

/** An index from 0 to count − 1 with the probabilities weights[start], weights[start + stride], … */
function drawIndex(weights: Float64Array, start: number, stride: number, count: number, g: Random): number {
  let left = g.uniform();
  for (let j = 0; j < count - 1; j++) {
    left -= weights[start + j * stride];
    if (left < 0) return j;
  }
  return count - 1;
}
