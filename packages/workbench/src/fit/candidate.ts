import type { KnownPredictor, Model, Table } from "conformant";
import type { ColumnReading } from "../columns/read-columns.ts";
import type { CellReading } from "../source/table-source.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { fitAgainAs, type TrainAgain } from "./fit-again.ts";
import { fitDistribution, type Known } from "./fit-distribution.ts";
import { type OutOfFold, predictOutOfFold } from "./out-of-fold.ts";
import type { FitContext } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** A predictor, and what its training leaves in memory. */
export type Learned = Known & {
  readonly predictor: KnownPredictor;
  readonly training: TrainingSummary;
  /** The rows in memory that were trained on, all or a sample, and how to train on a part of them. */
  readonly taught?: { readonly table: Table; readonly trainAgain: TrainAgain } | undefined;
  /** All rows with their label, where they are in memory. */
  readonly labeled?: Table | undefined;
};

/** A model, what its training leaves, and how models of other rows predict each row. */
export interface Candidate {
  readonly known: Learned;
  readonly model: Model;
  readonly outOfFold: OutOfFold | undefined;
}

/** Fits the distribution for a predictor, and predicts rows by models of other rows. */
export async function fitLearned<Cells extends CellReading>(
  context: FitContext<Cells>,
  reading: ColumnReading<Cells>,
  known: Learned,
  checkpoint?: Checkpoint,
): Promise<Candidate> {
  const model = await fitDistribution(context, known.predictor, reading, { ...known, checkpoint });
  const outOfFold = context.training.crossValidation
    ? await predictHeldOut(context, known, model)
    : undefined;
  return { known, model, outOfFold };
}

/** Predicts rows by models of other rows, whose mixtures have the size and kind of a model's. */
export async function predictHeldOut<Cells extends CellReading>(
  { training, host, limit }: FitContext<Cells>,
  { taught }: Pick<Learned, "taught">,
  like: Model,
): Promise<OutOfFold | undefined> {
  if (!taught) return undefined;
  const fitAgain = fitAgainAs(like, taught.trainAgain, training, host);
  return limit.attempt("the verdict, which is missing", () =>
    predictOutOfFold(taught.table, fitAgain, training, host.reporter, limit),
  );
}
