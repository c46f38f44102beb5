import type { Classifier } from "../classifier/classifier.ts";
import type { Block } from "../gaussian/block.ts";
import type { GaussianFactor } from "../gaussian/gaussian-factor.ts";
import { type GaussianJson, readBlock, readGaussian, writeGaussian } from "./gaussian-json.ts";

/** What a model keeps of factors beside the atoms, a field per kind. Files and components know the kinds by this module alone. */
export interface ModelParts {
  /** The numeric columns that a Gaussian describes, if any. */
  readonly block?: Block;
}

/** What each of its components does. */
export interface ComponentParts {
  /** The factor over the block, where the model has one. */
  readonly gaussian?: GaussianFactor;
}

/** What several factors have, each in fields of its own, as one record. */
export function joinParts<T extends object>(parts: readonly T[]): Partial<T> {
  return Object.assign({}, ...parts) as Partial<T>;
}

/** log Z_k of each of a component's factors beside the atoms, K numbers each. */
export function logZOfParts({ gaussian }: ComponentParts): readonly Float64Array[] {
  return gaussian ? [gaussian.logZ] : [];
}

/** Positions of the columns that such factors describe. */
export function columnsOfParts({ block }: ModelParts): ReadonlySet<number> {
  return new Set(block?.columns);
}

/** What a model file has of them. */
export interface ModelPartsInFile {
  /** Positions of the numeric columns that a Gaussian describes; absent where there are none. Since version 2. */
  readonly block?: readonly number[];
}

/** What it has of them in each component. */
export interface ComponentPartsInFile {
  readonly gaussian?: GaussianJson;
}

/** The first version of the model file that has these factors. */
export function versionOfParts({ block }: ModelParts): number {
  return block ? 2 : 1;
}

export function writeModelParts({ block }: ModelParts): ModelPartsInFile {
  return block ? { block: [...block.columns] } : {};
}

export function writeComponentParts({ gaussian }: ComponentParts): ComponentPartsInFile {
  return gaussian ? { gaussian: writeGaussian(gaussian) } : {};
}

export function readModelParts(classifier: Classifier, json: ModelPartsInFile): ModelParts {
  const block = readBlock(classifier, json.block);
  return block ? { block } : {};
}

/** @param m the position of the component */
export function readComponentParts(
  { block }: ModelParts,
  m: number,
  json: ComponentPartsInFile,
): ComponentParts {
  return block ? { gaussian: readGaussian(block, m, json.gaussian) } : {};
}
