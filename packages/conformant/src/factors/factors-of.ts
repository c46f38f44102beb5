import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { AtomsFactor } from "./atoms-factor.ts";
import { BlockFactor } from "./block-factor.ts";
import type { Factor } from "./factor.ts";
import { type HiddenNormals, noNormals } from "./hidden-normals.ts";

const made = new WeakMap<Model, readonly Factor[]>();

/** The factors of a model, which share out its columns; made once. The one place that knows which kinds there are. */
export function factorsOf(model: Model): readonly Factor[] {
  const known = made.get(model);
  if (known) return known;
  const { block, components, atoms } = model;
  const inBlock = new Set(block?.columns);
  const apart = Array.from(atoms.columns.keys()).filter((i) => !inBlock.has(i));
  const factors: Factor[] = [new AtomsFactor(model, apart)];
  if (block)
    factors.push(
      new BlockFactor(
        block,
        components.flatMap(({ gaussian }) => gaussian ?? []),
      ),
    );
  made.set(model, factors);
  return factors;
}

/** The factor that a column belongs to. */
export function factorOf(model: Model, i: number): Factor {
  const factors = factorsOf(model);
  return factors.find(({ columns }) => columns.includes(i)) ?? factors[0];
}

/** The hidden numbers of a row that are jointly normal given the known ones, if any. */
export function hiddenNormals(model: Model, table: Table, row: number): HiddenNormals {
  for (const factor of factorsOf(model)) {
    const hidden = factor.hiddenNormals(table, row);
    if (hidden) return hidden;
  }
  return noNormals(model.components.length, model.classifier.classes.length);
}
