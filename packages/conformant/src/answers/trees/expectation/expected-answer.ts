import { hiddenNormals } from "../../../factors/factors-of.ts";
import { madeOnce } from "../../../made-once.ts";
import { posteriorOfRow } from "../../../posterior/predict-row.ts";
import { isGapCell, type Table } from "../../../schema/data.ts";
import { linkSums } from "../../../trees/tree-classifier.ts";
import type { TreeModel } from "../tree-model.ts";
import { type DrawSettings, drawAnswer } from "./draw-answer.ts";
import { enumerateCells } from "./enumerate-cells.ts";
import { expectedSums } from "./expected-sums.ts";
import { Hypercubes } from "./hypercubes.ts";
import { type LeafBoxes, leafBoxes } from "./leaf-boxes.ts";
import { PrunedTrees } from "./pruned-trees.ts";
import { RowCompletions } from "./row-completions.ts";

/** What trees are expected to answer. */
export interface ExpectedAnswer {
  /** K numbers. */
  readonly probabilities: Float64Array;
  readonly method: "exact" | "sampling";
  /** The largest of a class; 0 where the answer is exact. */
  readonly standardError: number;
}

/** When to enumerate, and how far draws go. */
export interface ExpectationSettings extends DrawSettings {
  /** Cells of the missing columns that are enumerated at most. */
  readonly enumerate: number;
}

/** How the completions of a row are found. */
export interface CompletionSettings {
  /** Up to this many cells of the missing columns are enumerated. */
  readonly enumerate: number;
  /** How many completions are drawn where there are more. */
  readonly samples: number;
  readonly seed: number;
}

/** Answers to completions of a row. */
export interface CompletedAnswers {
  /** Completions × K. */
  readonly answers: Float64Array;
  readonly weights: Float64Array;
  /** Per missing column its values in the completions. */
  readonly values: readonly Float64Array[];
  readonly exact: boolean;
}

/** For a row by itself: as exact as can be had within a tenth of a second. */
export const ONE_ROW: ExpectationSettings = { enumerate: 4096, tolerance: 0.002, walks: 1 << 23, seed: 0 };
/** For rows of a table. */
export const MANY_ROWS: ExpectationSettings = { enumerate: 256, tolerance: 0.01, walks: 1 << 22, seed: 0 };

/**
 * The one place that answers "what are the trees expected to say, given these known columns": the trees' own answer where nothing that
 * matters is missing, leaf sums where probabilities are averaged, else all cells where they are few, else draws.
 */
export class TreeExpectation {
  readonly #model: TreeModel;
  readonly #boxes: LeafBoxes;
  readonly #pruned: PrunedTrees;
  readonly #x: Float64Array;

  constructor(model: TreeModel) {
    this.#model = model;
    this.#boxes = leafBoxes(model.trees, model);
    this.#pruned = new PrunedTrees(model.trees);
    this.#x = new Float64Array(model.trees.schema.columns.length);
  }

  /** The answer to a row of a table. */
  answer(table: Table, row: number, settings: ExpectationSettings): ExpectedAnswer {
    const [pruned, x, model] = [this.#pruned, this.#x, this.#model];
    readCells(table, row, x);
    pruned.prune(x);
    if (pruned.open === 0) return exactly(this.#linked(pruned.start));
    const shares = componentShares(model, table, row);
    const sums = expectedSums(pruned, this.#boxes, shares, x);
    if (sums && model.trees.link === "probability") return exactly(sums);
    const cells = enumerateCells(pruned, model, shares, settings.enumerate);
    if (cells)
      return exactly(weightedMean(pruned.answers(cells.values, cells.weights.length), cells.weights));
    const normals = hiddenNormals(model, table, row);
    const completions = new RowCompletions(model, pruned.columns, shares, normals);
    const drawn = drawAnswer(pruned, completions, sums, settings);
    return { ...drawn, method: "sampling" };
  }

  /**
   * The answers to completions of a row: one for each cell where these are few, else to so many drawn ones. What every missing column
   * is in them is told as well, where all of them are drawn.
   */
  completions(table: Table, row: number, { enumerate, samples, seed }: CompletionSettings): CompletedAnswers {
    const [pruned, x, model] = [this.#pruned, this.#x, this.#model];
    readCells(table, row, x);
    pruned.prune(x);
    const shares = componentShares(model, table, row);
    const cells = enumerateCells(pruned, model, shares, enumerate);
    if (cells) {
      const answers = pruned.answers(cells.values, cells.weights.length);
      return { answers, weights: cells.weights, values: cells.values, exact: true };
    }
    const missing = Array.from(x.keys()).filter((i) => Number.isNaN(x[i]));
    const normals = hiddenNormals(model, table, row);
    const completions = new RowCompletions(model, missing, shares, normals);
    const u = new Float64Array(samples * completions.dimensions);
    new Hypercubes(seed).fill(samples, completions.dimensions, u);
    const values: Float64Array[] = [];
    for (const i of missing) values[i] = new Float64Array(samples);
    completions.write(u, samples, values, 0);
    const weights = new Float64Array(samples).fill(1 / samples);
    return { answers: pruned.answers(values, samples), weights, values, exact: false };
  }

  #linked(sums: Float64Array): Float64Array {
    const out = new Float64Array(this.#model.trees.classes.length);
    linkSums(this.#model.trees, sums, out);
    return out;
  }
}

const expectations = new WeakMap<TreeModel, TreeExpectation>();

/** The expectation of a model. */
export function expectationOf(model: TreeModel): TreeExpectation {
  return madeOnce(expectations, model, () => new TreeExpectation(model));
}

function exactly(probabilities: Float64Array): ExpectedAnswer {
  return { probabilities, method: "exact", standardError: 0 };
}

/** Σ_p weight_p · answer_p, K numbers. */
function weightedMean(answers: Float64Array, weights: Float64Array): Float64Array {
  const K = answers.length / weights.length;
  const mean = new Float64Array(K);
  for (let at = 0; at < answers.length; at++) mean[at % K] += weights[Math.floor(at / K)] * answers[at];
  return mean;
}

/** A row as trees read it: per column the number or the code, NaN for a gap. */
function readCells(table: Table, row: number, x: Float64Array): void {
  for (let i = 0; i < x.length; i++) {
    const cells = table.columns[i];
    x[i] = isGapCell(cells, row) ? Number.NaN : cells[row];
  }
}

/** r_m(y) = P(m | y), M numbers. */
function componentShares(model: TreeModel, table: Table, row: number): Float64Array {
  const M = model.components.length;
  const posterior = posteriorOfRow(model, table, row);
  const K = posterior.length / M;
  const shares = new Float64Array(M);
  for (let a = 0; a < posterior.length; a++) shares[Math.floor(a / K)] += posterior[a];
  return shares;
}
