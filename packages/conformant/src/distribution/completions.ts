import { missingSampler } from "../gaussian/condition.ts";
import { type Random, random } from "../math/random.ts";
import type { Watch } from "../progress.ts";
import { valueInBin } from "../schema/column.ts";
import { type EncodedColumn, emptyLike, type Table, type Value } from "../schema/data.ts";
import { type CompletionSpace, completionSpace, eachCell } from "./completion-space.ts";
import type { Distribution, MissingColumn } from "./distribution.ts";

/**
 * Called with the atom of each missing column, the probability or weight of the completion, and the hidden
 * normal numbers. The arrays are reused.
 */
export type VisitCompletion = (atoms: Int32Array, weight: number, numbers: Float64Array) => void;

/** Completions between two looks at whether the work is to end. */
const BATCH = 256;

/** Visits every completion of a row with its probability P(x_missing | y); no normal number must be hidden. */
export function enumerateCompletions(space: CompletionSpace, visit: VisitCompletion, watch?: Watch): void {
  const none = new Float64Array(0);
  let visited = 0;
  enumerateJoint(space, (atoms, joint) => {
    if (++visited % BATCH === 0) watch?.step(visited / space.size);
    visit(
      atoms,
      joint.reduce((sum, p) => sum + p, 0),
      none,
    );
  });
}

/** Visits every completion of the columns with atoms, with P(m, k, atoms | y) for every component and class, M × K. */
export function enumerateJoint(
  { posterior, missing }: CompletionSpace,
  visit: (atoms: Int32Array, joint: Float64Array) => void,
): void {
  const atoms = new Int32Array(missing.length);
  const descend = (depth: number, joint: Float64Array): void => {
    if (depth === missing.length) {
      visit(atoms, joint);
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
  { posterior, missing, normals }: CompletionSpace,
  count: number,
  seed: number,
  visit: VisitCompletion,
  watch?: Watch,
): void {
  const g = random(seed);
  const atoms = new Int32Array(missing.length);
  const numbers = new Float64Array(normals.columns.length);
  const drawNumbers = missingSampler(normals);
  for (let draw = 0; draw < count; draw++) {
    if (draw % BATCH === 0) watch?.step(draw / count);
    // First component and class, then each column by itself, then the normal numbers together.
    const outcome = drawIndex(posterior, 0, 1, posterior.length, g);
    for (let j = 0; j < missing.length; j++) atoms[j] = drawAtom(missing[j], outcome, posterior.length, g);
    drawNumbers(outcome, g, numbers);
    visit(atoms, 1 / count, numbers);
  }
}

function drawAtom(
  { count, conditional }: MissingColumn,
  outcome: number,
  outcomes: number,
  g: Random,
): number {
  return drawIndex(conditional, outcome, outcomes, count, g);
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

/** A value of column `i` that falls into its atom `v`: the value itself, a number's representative, the middle of a bin. */
export function atomValue({ schema, atoms }: Distribution, i: number, v: number): Value {
  const column = schema.columns[i];
  if (column.kind === "categorical") return column.values[v];
  if (column.kind === "binned") return valueInBin(column.edges, v);
  return atoms.columns[i].values?.[v] ?? v;
}

/** The values of a completion by position of the column. */
export function drawnValues(
  { distribution, missing, normals }: CompletionSpace,
  atoms: Int32Array,
  numbers: Float64Array,
): Map<number, Value> {
  const drawn = new Map(missing.map(({ index }, j) => [index, atomValue(distribution, index, atoms[j])]));
  normals.columns.forEach((index, a) => {
    drawn.set(index, numbers[a]);
  });
  return drawn;
}

/**
 * Rows drawn from the model given what is known of one, as columns: its known cells in each of them, the others drawn together.
 *
 * @param table one row
 */
export function drawColumns(model: Distribution, table: Table, count: number, seed: number): EncodedColumn[] {
  const space = completionSpace(model, table, 0);
  const columns = table.columns.map((cells) => emptyLike(cells, count).fill(cells[0]));
  let r = 0;
  drawCompletions(space, count, seed, (atoms, _, numbers) => {
    eachCell(space, atoms, numbers, (i, cell) => {
      columns[i][r] = cell;
    });
    r++;
  });
  return columns;
}
