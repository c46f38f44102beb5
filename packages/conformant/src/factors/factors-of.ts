import { madeOnce } from "../made-once.ts";
import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { AtomsFactor } from "./atoms-factor.ts";
import { BlockFactor } from "./block-factor.ts";
import type { Factor } from "./factor.ts";
import { type HiddenNormals, noNormals } from "./hidden-normals.ts";
import { type ByKind, makeOfFactors } from "./kinds-of-factors.ts";

/** The factors of a model, and by position of a column the one that it belongs to. */
interface Factors {
  readonly all: readonly Factor[];
  readonly ofColumn: readonly Factor[];
}

const FACTORS: ByKind<Factor> = {
  atoms: (model, columns) => new AtomsFactor(model, columns),
  block: (block, gaussians) => new BlockFactor(block, gaussians),
};

const made = new WeakMap<Model, Factors>();

/** The factors of a model, which share out its columns. */
export function factorsOf(model: Model): readonly Factor[] {
  return madeOnce(made, model, makeFactors).all;
}

/** The factor that a column belongs to. */
export function factorOf(model: Model, i: number): Factor {
  return madeOnce(made, model, makeFactors).ofColumn[i];
}

/** The hidden numbers of a row that are jointly normal given the known ones, if any. */
export function hiddenNormals(model: Model, table: Table, row: number): HiddenNormals {
  for (const factor of factorsOf(model)) {
    const hidden = factor.hiddenNormals(table, row);
    if (hidden) return hidden;
  }
  return noNormals(model.components.length, model.classifier.classes.length);
}

function makeFactors(model: Model): Factors {
  const all = makeOfFactors(model, FACTORS);
  const ofColumn: Factor[] = [];
  for (const factor of all) for (const i of factor.columns) ofColumn[i] = factor;
  return { all, ofColumn };
}
