import type { Classifier } from "../../classifier/classifier.ts";
import { createBlock } from "../../gaussian/block.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { type BlockFrame, frameOf } from "../block/block-frame.ts";
import { BlockInFit } from "../block/block-in-fit.ts";
import type { FactorInFit } from "../factors/factor-in-fit.ts";

/** What is known of the factors beside the atoms before a fit begins: numbers that can be handed to another thread or written to a file. */
export interface FactorFrames {
  /** Of a Gaussian: the block with the moments of all rows. */
  readonly frame?: BlockFrame | undefined;
}

/** Positions of the columns that factors beside the atoms describe, a list per kind; all other columns have atoms. */
export interface FactorColumns {
  /** Those with a Gaussian. */
  readonly block: readonly number[];
}

/** The factors of a mixture beside the atoms. With {@link framesOf} the one place of a fit that knows which kinds there are. */
export function factorsInFit({ frame }: FactorFrames): readonly FactorInFit[] {
  return frame ? [new BlockInFit(frame)] : [];
}

/** The frames among other things. */
export function framesIn({ frame }: FactorFrames): FactorFrames {
  return frame ? { frame } : {};
}

/** The columns among other things. */
export function columnsIn({ block }: FactorColumns): FactorColumns {
  return { block };
}

/** Whether any column has another description than atoms. */
export function hasFactors({ block }: FactorColumns): boolean {
  return block.length > 0;
}

/** The columns by name, as a certificate has them. */
export function namesIn({ schema }: Classifier, { block }: FactorColumns): { readonly gaussian: string[] } {
  return { gaussian: block.map((i) => schema.columns[i].name) };
}

/** Looks at the rows for what the factors need to know. */
export function framesOf(classifier: Classifier, data: WeightedRows, columns: FactorColumns): FactorFrames {
  const block = createBlock(classifier, columns.block);
  return block ? { frame: frameOf(block, data) } : {};
}

/**
 * The same factors, to judge rows by the probability of their values as recorded instead of by densities.
 *
 * @param steps the size of the cells by position of the column
 */
export function framesAt({ frame }: FactorFrames, steps: readonly number[]): FactorFrames {
  return frame
    ? { frame: { ...frame, resolution: Float64Array.from(frame.block.columns, (i) => steps[i]) } }
    : {};
}
