import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { AtomsFactor } from "./atoms-factor.ts";
import { BlockFactor } from "./block-factor.ts";
import type { Factor } from "./factor.ts";
import { type HiddenNormals, noNormals } from "./hidden-normals.ts";

/** The factors of a model, and by position of a column the one that it belongs to. */
interface Factors {
  readonly all: readonly Factor[];
  readonly ofColumn: readonly Factor[];
}

const made = new WeakMap<Model, Factors>();

/** The factors of a model, which share out its columns; made once. */
export function factorsOf(model: Model): readonly Factor[] {
  return prepare(model).all;
}

/** The factor that a column belongs to. */
export function factorOf(model: Model, i: number): Factor {
  return prepare(model).ofColumn[i];
}

/** The hidden numbers of a row that are jointly normal given the known ones, if any. */
export function hiddenNormals(model: Model, table: Table, row: number): HiddenNormals {
  for (const factor of factorsOf(model)) {
    const hidden = factor.hiddenNormals(table, row);
    if (hidden) return hidden;
  }
  return noNormals(model.components.length, model.classifier.classes.length);
}

function prepare(model: Model): Factors {
  const known = made.get(model);
  if (known) return known;
  const all = makeFactors(model);
  const ofColumn: Factor[] = [];
  for (const factor of all) for (const i of factor.columns) ofColumn[i] = factor;
  const factors = { all, ofColumn };
  made.set(model, factors);
  return factors;
}

/** The one place that knows which kinds of factors there are. */
function makeFactors(model: Model): Factor[] {
  const { block, components, atoms } = model;
  const inBlock = new Set(block?.columns);
  const apart = Array.from(atoms.columns.keys()).filter((i) => !inBlock.has(i));
  const gaussians = components.flatMap(({ gaussian }) => gaussian ?? []);
  const separate = new AtomsFactor(model, apart);
  return block ? [separate, new BlockFactor(block, gaussians)] : [separate];
}
