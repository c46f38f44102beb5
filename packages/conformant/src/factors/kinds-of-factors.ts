import type { Block } from "../gaussian/block.ts";
import type { GaussianFactor } from "../gaussian/gaussian-factor.ts";
import { columnsOfParts } from "../model/factor-parts.ts";
import type { Model } from "../model/model.ts";

/** What is made of a factor, by its kind. */
export interface ByKind<T> {
  /** @param columns positions of the columns that have atoms */
  readonly atoms: (model: Model, columns: readonly number[]) => T;
  /** @param gaussians one per component */
  readonly block: (block: Block, gaussians: readonly GaussianFactor[]) => T;
}

/** Makes something of every factor of a model. The one place that knows which kinds questions meet. */
export function makeOfFactors<T>(model: Model, make: ByKind<T>): T[] {
  const { block, components, atoms } = model;
  const elsewhere = columnsOfParts(model);
  const apart = Array.from(atoms.columns.keys()).filter((i) => !elsewhere.has(i));
  const made = [make.atoms(model, apart)];
  if (block)
    made.push(
      make.block(
        block,
        components.flatMap(({ gaussian }) => gaussian ?? []),
      ),
    );
  return made;
}
