import type { Column, KnownPredictor, Model, Table } from "conformant";
import { addColumns } from "conformant/internal";
import type { ColumnOptions } from "../columns/column-options.ts";
import type { Reporter } from "../source/reporter.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { withoutColumns, withoutLast } from "../source/without-columns.ts";
import { fitDistribution, fitMixtureOfRows, mixtureSettings } from "./fit-distribution.ts";
import { type ColumnReading, readColumns } from "./read-columns.ts";
import { readLabel } from "./read-label.ts";
import { readTable } from "./read-table.ts";
import { trainBoostedTrees } from "./train-boosted-trees.ts";
import { trainClassifier } from "./train-classifier.ts";
import type { TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";

/** What a model is to be made of. */
export interface TableRequest<Cells extends CellReading> {
  readonly source: TableSource<Cells>;
  readonly label: string;
  readonly columns: ColumnOptions;
  readonly options: TrainingOptions;
  readonly gaps: readonly string[];
  readonly messages: Reporter;
}

/** A model and what it was made of. */
export interface FittedTable {
  readonly model: Model;
  readonly reading: Omit<ColumnReading, "fields">;
  /** How it was trained, unless the classifier was brought along. */
  readonly training: TrainingSummary | undefined;
  /** The rows whose class is known, in the model's columns and, last, the label. */
  readonly labelled: Table | undefined;
}

/** Makes a model from a table whose rows fit in memory: kinds of columns, training, distribution. */
export async function fitTable<Cells extends CellReading>(
  request: TableRequest<Cells>,
): Promise<FittedTable> {
  const { source, label, columns, options, gaps, messages } = request;
  const rules = { columns, gaps, bins: options.bins };
  const { fields, ...reading } = await readColumns(source, label, rules, messages);
  const labels = await readLabel(source, fields, label, reading.rows, reading.label);
  const schema = { columns: [...reading.chosen.map(({ column }) => column), labels.column] };
  const table = await readTable(source, fields, schema, reading.rows, messages);
  const { predictor, training, mixture } = trainOnTable(table, reading.also, label, options, messages);
  const fitMixture = (): Model =>
    mixture ?? fitMixtureOfRows(predictor, withoutLast(table), mixtureSettings(request));
  const model = await fitDistribution(request, predictor, reading, fitMixture);
  return { model, reading, training, labelled: table };
}

/** A predictor, and what its training leaves. */
interface Learned {
  readonly predictor: KnownPredictor;
  readonly training: TrainingSummary;
  /** The mixture that completed rows with gaps. */
  readonly mixture?: Model | undefined;
}

function trainOnTable(
  table: Table,
  also: readonly Column[],
  label: string,
  options: TrainingOptions,
  messages: Pick<Reporter, "progress" | "tried">,
): Learned {
  if (options.model === "trees") {
    const own = withoutColumns(table, also);
    const { trees: trained, training } = trainBoostedTrees(own, label, options, messages);
    return { predictor: addColumns(trained, also), training };
  }
  const { classifier, training, distribution } = trainClassifier(table, also, label, options, messages);
  return { predictor: classifier, training, mixture: distribution };
}
