import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import type { Model } from "../../model/model.ts";
import {
  type CompletionSpace,
  completionSpace,
  eachCell,
} from "../../queries/completion/completion-space.ts";
import { drawCompletions } from "../../queries/completion/visit-completions.ts";
import { type EncodedColumn, emptyLike, gapLike, isGapCell, type Table } from "../../schema/data.ts";
import { predictColumns } from "../predict.ts";
import { hasTrees } from "../trees/tree-model.ts";

/** Rows that one of which something is known may turn out to be. */
export interface ImaginedRows {
  /** All columns of them. */
  readonly columns: readonly EncodedColumn[];
  /** The class that each of them was drawn for. */
  readonly drawnFor: Int32Array;
  /** What the model would answer to each row if it knew these columns of it, besides what is known: rows × K. */
  readonly answersKnowing: (columns: readonly number[]) => Float64Array;
  /** What a row stands for among all of them, by such an answer: Σ weight · f is the expectation of f. */
  readonly weightOf: (answer: Float64Array) => number;
}

/** Components and classes of less weight are left out: rows that come from them are as rare, and draws tell less exactly. */
const NEGLIGIBLE = 1e-9;

/**
 * Draws rows given what is known of one, about as many as are wanted. Where one class is nearly certain, the answers that would change that
 * come from the others, and hardly any draw would: so each class k has draws of its own, a share r_k in proportion to the root of its
 * probability P(k | y), and a row counts by how much likelier it is than to be drawn,
 *
 *     P(x_S | y) / Σ_k r_k P(x_S | y, k) = 1 / Σ_k ( r_k / P(k | y) ) P(k | y, x_S)
 */
export function imagineRows(model: Model, table: Table, wanted: number): ImaginedRows {
  const space = completionSpace(model, table, 0);
  const parts = partsOf(model, space, wanted);
  const rows = parts.reduce((sum, { draws }) => sum + draws, 0);
  const columns = table.columns.map((cells) => emptyLike(cells, rows).fill(cells[0]));
  const drawnFor = new Int32Array(rows);
  let r = 0;
  for (const { k, draws, posterior } of parts)
    drawCompletions({ ...space, posterior }, draws, k, (atoms, _, numbers) => {
      eachCell(space, atoms, numbers, (i, cell) => {
        columns[i][r] = cell;
      });
      drawnFor[r++] = k;
    });
  const oftener = new Float64Array(model.classifier.classes.length).fill(hasTrees(model) ? 1 : 0);
  if (!hasTrees(model)) for (const { k, draws, share } of parts) oftener[k] = draws / rows / share;
  const weightOf = (answer: Float64Array): number =>
    1 / rows / answer.reduce((sum, p, k) => sum + oftener[k] * p, 0);
  return { columns, drawnFor, answersKnowing: answering(model, table, space, columns, rows), weightOf };
}

/** So many draws for class k, whose probability is `share`, with its own P(m, k | y). */
interface Part {
  readonly k: number;
  readonly share: number;
  readonly draws: number;
  readonly posterior: Float64Array;
}

/** A part per class; one for all where the components know nothing of the classes, as those of trees. */
function partsOf(model: Model, { posterior, K }: CompletionSpace, wanted: number): Part[] {
  if (hasTrees(model)) return [{ k: 0, share: 1, draws: wanted, posterior }];
  const shares = new Float64Array(K);
  for (let a = 0; a < posterior.length; a++) shares[a % K] += posterior[a];
  const total = shares.reduce((sum, share) => sum + Math.sqrt(share), 0);
  return Array.from(shares, (share, k) => ({
    k,
    share,
    draws: share > NEGLIGIBLE ? Math.ceil((Math.sqrt(share) / total) * wanted) : 0,
    posterior: posterior.map((p, a) => (a % K === k ? p / share : 0)),
  })).filter(({ draws }) => draws > 0);
}

/**
 * Where columns are independent given component and class, what they say is added to what is known already,
 *
 *     log P(m, k | y, x_S) = log P(m, k | y) + Σ_{i ∈ S} log P_m(x_i | k) + const
 *
 * else whole rows are predicted.
 */
function answering(
  model: Model,
  known: Table,
  { K, missing, posterior }: CompletionSpace,
  columns: readonly EncodedColumn[],
  rows: number,
): (asked: readonly number[]) => Float64Array {
  const places = new Map(missing.map(({ index }, j) => [index, j]));
  const likely = Int32Array.from(posterior.keys()).filter((a) => posterior[a] > NEGLIGIBLE);
  const before = Float64Array.from(likely, (a) => Math.log(posterior[a]));
  const addUp = (asked: readonly number[]): Float64Array => {
    const own = asked.map((i) => missing[places.get(i) as number]);
    const answers = new Float64Array(rows * K);
    const terms = new Float64Array(likely.length);
    for (let r = 0; r < rows; r++) {
      terms.set(before);
      for (const { index, codeOf, logConditional } of own) {
        const at = codeOf(columns[index][r]) * posterior.length;
        for (let b = 0; b < likely.length; b++) terms[b] += logConditional[at + likely[b]];
      }
      softmaxInPlace(terms);
      for (let b = 0; b < likely.length; b++) answers[r * K + (likely[b] % K)] += terms[b];
    }
    return answers;
  };
  const predictWhole = (asked: readonly number[]): Float64Array => {
    const shown = columns.map((cells, i) =>
      asked.includes(i) || !isGapCell(known.columns[i], 0)
        ? cells
        : emptyLike(cells, rows).fill(gapLike(cells)[0]),
    );
    return predictColumns(model, { ...known, rows, columns: shown }).probabilities;
  };
  const adds = !hasTrees(model);
  return (asked) => (adds && asked.every((i) => places.has(i)) ? addUp(asked) : predictWhole(asked));
}
