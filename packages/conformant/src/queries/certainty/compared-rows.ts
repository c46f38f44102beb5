import { KeptWithin } from "../../kept-within.ts";
import { madeOnce } from "../../made-once.ts";
import { logSumExp } from "../../math/exponential/log-sum-exp.ts";
import type { Model } from "../../model/model.ts";
import { logJointOfRow, logPriors } from "../../posterior/log-joint.ts";
import { gapLike, isGapCell, type Table } from "../../schema/data.ts";
import type { Watch } from "../../watch.ts";
import { type CompletionSpace, eachCell } from "../completion/completion-space.ts";
import {
  drawCompletions,
  enumerateCompletions,
  type VisitCompletion,
} from "../completion/visit-completions.ts";

/** The rows that a row is compared with. */
export interface ComparedRows {
  /** log P(y) of each, over the columns that the row knows. */
  readonly logEvidence: Float64Array;
  /** The share of each. */
  readonly weights: Float64Array;
  /** How many were drawn; undefined where these are all there are. */
  readonly samples: number | undefined;
}

/** How many rows are drawn, and who watches. */
interface Draws {
  readonly samples: number;
  readonly seed: number;
  readonly watch: Watch;
}

/** Up to this many rows are enumerated rather than drawn. */
const ENUMERATE = 16384;
/** Numbers of rows to compare with that a model remembers, 16 MB at most: enough for the patterns of gaps of most data. */
const KEPT = 1 << 21;

const remembered = new WeakMap<Model, KeptWithin<string, ComparedRows>>();

/** The rows to compare a row with: the same for all that know the same columns, so that they are made once. */
export function comparedRows(
  { columns }: Table,
  { samples, seed, watch }: Draws,
  model: Model,
  make: () => ComparedRows,
): ComparedRows {
  const known = madeOnce(remembered, model, () => new KeptWithin<string, ComparedRows>(KEPT));
  const key = `${samples} ${seed} ${columns.map((cells) => (isGapCell(cells, 0) ? "?" : "x")).join("")}`;
  const found = known.get(key);
  if (found) {
    watch.step(1);
    return found;
  }
  const made = make();
  return known.keep(key, made, 2 * made.weights.length);
}

/** Where no normal number is known: all rows there are, or draws of them. */
export function valuesToCompare(space: CompletionSpace, draws: Draws): ComparedRows {
  const visitAll = (visit: VisitCompletion): void =>
    space.size <= ENUMERATE
      ? enumerateCompletions(space, visit, draws.watch)
      : drawCompletions(space, draws.samples, draws.seed, visit, draws.watch);
  return list(
    visitAll,
    (atoms) => logEvidenceOf(space, atoms),
    space.size <= ENUMERATE ? undefined : draws.samples,
  );
}

/** Where several normal numbers are known, whose rows cannot be enumerated: rows drawn from the model, seen through the same gaps. */
export function drawsToCompare(space: CompletionSpace, table: Table, draws: Draws): ComparedRows {
  const other = { ...table, columns: table.columns.map(gapLike) };
  return list(
    (visit) => drawCompletions(space, draws.samples, draws.seed, visit, draws.watch),
    (atoms, numbers) => {
      eachCell(space, atoms, numbers, (i, cell) => {
        if (!isGapCell(table.columns[i], 0)) other.columns[i][0] = cell;
      });
      return logSumExp(logJointOfRow(space.model, other, 0));
    },
    draws.samples,
  );
}

function list(
  visitAll: (visit: VisitCompletion) => void,
  logEvidenceAt: (atoms: Int32Array, numbers: Float64Array) => number,
  samples: number | undefined,
): ComparedRows {
  const logEvidence: number[] = [];
  const weights: number[] = [];
  visitAll((atoms, weight, numbers) => {
    if (weight === 0) return; // a row that cannot occur: 0 · log 0 is 0
    logEvidence.push(logEvidenceAt(atoms, numbers));
    weights.push(weight);
  });
  return { logEvidence: Float64Array.from(logEvidence), weights: Float64Array.from(weights), samples };
}

/** log Σ_mk P(m, k) Π_i P_m(x_i | k), from logarithms: a class may be too unlikely for a number and yet what a row is of. */
export function logEvidenceOf({ model, missing }: CompletionSpace, atoms: Int32Array): number {
  const joint = logPriors(model);
  for (let j = 0; j < missing.length; j++) {
    const at = atoms[j] * joint.length;
    for (let a = 0; a < joint.length; a++) joint[a] += missing[j].logConditional[at + a];
  }
  return logSumExp(joint);
}
