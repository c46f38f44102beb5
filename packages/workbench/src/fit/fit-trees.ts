import type { Model } from "conformant";
import { addColumns, columnsWithGaps, mixtureShape } from "conformant/internal";
import type { ColumnReading } from "../columns/read-columns.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import type { CellReading } from "../source/table-source.ts";
import { withoutColumns, withoutLast } from "../source/without-columns.ts";
import { type Candidate, type Learned, predictHeldOut } from "./candidate.ts";
import { compareWithIndicators, findTellingColumns } from "./choose-model.ts";
import { columnsWithin } from "./fit-again.ts";
import { fitDistribution } from "./fit-distribution.ts";
import type { OutOfFold } from "./out-of-fold.ts";
import type { TrainingTable } from "./read-training-table.ts";
import { type TrainedTrees, trainBoostedTrees } from "./train-boosted-trees.ts";
import type { FitContext } from "./training-options.ts";

/** Boosted trees before their distribution is fitted. */
export interface FittedTrees extends Pick<Candidate, "known" | "outOfFold"> {
  readonly fitDistribution: () => Promise<Model>;
}

/** The share of the time left that boosting may take. */
const BOOSTING_LIMIT = 0.6;

/** What was chosen before. */
interface EarlierChoice {
  /** Iterations of boosting. */
  readonly iterations: number | undefined;
  /** Another model of the same rows, whose size and kind of mixture and whose indicators are taken over. */
  readonly like: Model;
}

/**
 * Trains boosted trees on the rows in memory and predicts them by models of other rows. Missing values are evidence where that was asked
 * for, or for the columns for which held-out rows are then predicted better.
 */
export async function fitTrees<Cells extends CellReading>(
  context: FitContext<Cells>,
  reading: ColumnReading<Cells>,
  label: string,
  read: TrainingTable,
  { iterations, like: earlier }: Partial<EarlierChoice> = {},
): Promise<FittedTrees> {
  const { training, host, limit } = context;
  const mayAsk = !read.sampled && training.trainOn === "all";
  if (!mayAsk && training.gaps === "informative")
    host.reporter.warn("--missing informative requires all rows in memory; using --missing random");
  const own = withoutColumns(read.table, reading.also);
  const all = Int32Array.from({ length: own.rows }, (_, r) => r);
  const decides = mayAsk && training.gaps === "auto" && columnsWithGaps(withoutLast(own), all).length > 0;
  const chosen = training.gaps === "auto" ? (earlier ? indicatedColumns(earlier) : "random") : training.gaps;
  const missing = mayAsk ? chosen : "random";
  const timeLimit = limit.share(BOOSTING_LIMIT);
  const trained = trainBoostedTrees(own, label, training, { missing, iterations, timeLimit }, host.reporter);
  if (limit.share(1) < timeLimit * (1 / BOOSTING_LIMIT - 1)) limit.note("the training of boosted trees");
  const plain = learnedFrom(trained, reading, read);
  const fitAll = (known: Learned): Promise<Model> =>
    fitDistribution(context, known.predictor, reading, known);
  const like = earlier ?? (await fitAll(plain));
  const finish = (known: Learned) => (): Promise<Model> => fitAll({ ...known, shape: mixtureShape(like) });
  // Held-out rows decide about missing values even where they are not scored for the verdict.
  const held = training.crossValidation || decides ? await predictHeldOut(context, plain, like) : undefined;
  const scored = (own: OutOfFold | undefined) => (training.crossValidation ? own : undefined);
  const without: FittedTrees = {
    known: plain,
    outOfFold: scored(held),
    fitDistribution: earlier ? finish(plain) : async () => like,
  };
  if (!decides || !held) return without;
  const found = findTellingColumns(own, held);
  const before = indicatedColumns(plain.predictor);
  const more = found.columns.filter((name) => !before.includes(name));
  const marked = learnedFrom(trained.withIndicators(more), reading, read);
  // The report is about columns that were found here.
  const report = before.length > 0 ? <T>(fitted: T): T => fitted : withGaps;
  if (indicatedColumns(marked.predictor).length === before.length) return report(without, found);
  const withThem = await predictHeldOut(context, marked, like);
  if (!withThem) return without;
  const gaps = compareWithIndicators(found, held, withThem);
  if (!gaps.taken) return report(without, gaps);
  return report({ known: marked, outOfFold: scored(withThem), fitDistribution: finish(marked) }, gaps);
}

/** The columns whose missing values are evidence. */
function indicatedColumns({ schema }: Pick<Model, "schema">): string[] {
  return schema.columns.filter(isIndicatorColumn).map(({ gapOf }) => gapOf);
}

function withGaps<T extends Pick<Candidate, "known">>(fitted: T, gaps: Learned["training"]["gaps"]): T {
  const { known } = fitted;
  return { ...fitted, known: { ...known, training: { ...known.training, gaps } } };
}

function learnedFrom(
  { trees, training, trainAgain }: TrainedTrees,
  { also }: Pick<ColumnReading, "also">,
  { table, sampled }: TrainingTable,
): Learned {
  const rows = withoutLast(table);
  const columns = indicatedColumns(trees);
  const gaps = columns.length > 0 && { taken: true, columns, rows: 0, effects: [] };
  return {
    predictor: addColumns(trees, also),
    training: { ...training, sampled, ...(gaps && { gaps }) },
    taught: {
      table,
      trainAgain: (part, watch) => {
        const { predictor } = trainAgain(withoutColumns(part, also), watch);
        return { predictor: addColumns(predictor, columnsWithin(also, part)) };
      },
    },
    ...(sampled ? { sample: rows } : { rows, labeled: table }),
  };
}
