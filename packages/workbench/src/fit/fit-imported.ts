import {
  type AnyModel,
  type Column,
  conform,
  conformMixture,
  type IndicatorComparison,
  isRegression,
  type KnownPredictor,
  type KnownRegressor,
  type Model,
  predictColumns,
  type Table,
} from "conformant";
import { addColumns, mixtureShape } from "conformant/internal";
import type { ColumnOptions } from "../columns/column-options.ts";
import type { ColumnReading, ReadingRules } from "../columns/read-columns.ts";
import type { ClassifierFile } from "../import/classifier-file.ts";
import { splitLabel } from "../source/labeled-rows.ts";
import { listed, quoted } from "../source/quoted.ts";
import { sampleRows } from "../source/sample-rows.ts";
import type { CellReading } from "../source/table-source.ts";
import { classificationVerdict } from "../verdict/classification-verdict.ts";
import type { ModelVerdict } from "../verdict/model-verdict.ts";
import { regressionVerdict } from "../verdict/regression-verdict.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { fitDistribution } from "./fit-distribution.ts";
import { certifyTexts, importClassifier } from "./import-classifier.ts";
import { indicateMissing } from "./indicate-missing.ts";
import { type OutOfFold, predictOutOfFold } from "./out-of-fold.ts";
import { type NumberLabel, readNumberLabel } from "./read-number-label.ts";
import { labeledRows, readTrainingTable } from "./read-training-table.ts";
import { rowsToDescribe } from "./sample-bounds.ts";
import type { FitContext } from "./training-options.ts";

/** An imported classifier or regressor with a distribution, and what its report is made of. */
export interface FittedImport<Cells extends CellReading> {
  readonly model: AnyModel;
  readonly reading: ColumnReading<Cells>;
  readonly labeled: Table | undefined;
  readonly range?: NumberLabel<Cells> | undefined;
  readonly missing?: IndicatorComparison | undefined;
  readonly verdict?: ModelVerdict | undefined;
  readonly unscored?: string | undefined;
}

/** Takes an existing classifier or regressor and fits the distribution of the rows; labeled rows are scored. */
export async function fitImported<Cells extends CellReading>(
  context: FitContext<Cells>,
  file: ClassifierFile,
  {
    columns,
    gaps,
    label,
  }: {
    readonly columns: ColumnOptions;
    readonly gaps: readonly string[];
    readonly label?: string | undefined;
  },
): Promise<FittedImport<Cells>> {
  const { source, training, host } = context;
  const rules: ReadingRules = { columns, gaps, bins: training.bins };
  const imported = await importClassifier(source, file, { ...rules, label }, host.reporter);
  const { reading } = imported;
  const predictor = addColumns(imported.classifier, reading.also);
  const isClassifier = "classes" in predictor;
  const numbers =
    label === undefined || isClassifier
      ? undefined
      : await readNumberLabel(source, label, "regression", reading, rules);
  // The rows are needed here only where their label is wanted beside them.
  const read =
    label === undefined
      ? undefined
      : await readTrainingTable(source, reading, predictor.schema, training, host.reporter);
  const rows = read?.sampled ? undefined : read?.table;
  const known = { rows, sample: rows ? undefined : read?.table, checkpoint: readCheckpoint(context) };
  // What fits a distribution asks the library for the kind of predictor, whatever its answer is.
  const own = (
    isClassifier || label === undefined ? predictor : { ...predictor, output: label, label }
  ) as KnownPredictor;
  const plain = await fitDistribution(context, own, reading, known);
  const labeled =
    rows && label !== undefined
      ? await labelRows(context, rows, { label, predictor, numbers, gaps })
      : undefined;
  const classified = isClassifier ? labeled : undefined;
  if (!classified && label !== undefined && training.gaps === "informative")
    host.reporter.warn("--missing informative requires labeled rows in memory; using --missing random");
  const indicated =
    classified && training.gaps !== "random" ? indicateMissing(plain, classified, training, host) : undefined;
  const { taken = false, columns: marked = [] } = indicated?.comparison ?? {};
  const fitted =
    indicated && taken
      ? await fitDistribution(context, indicated.predictor, reading, { ...known, shape: mixtureShape(plain) })
      : plain;
  const outOfFold =
    labeled && training.crossValidation
      ? await predictHeldOut(context, fitted, labeled, (others) =>
          taken
            ? indicateMissing(plain, others, { ...training, gaps: marked }, host).predictor
            : fitted.predictor,
        )
      : undefined;
  const verdict = outOfFold && verdictOf(fitted, outOfFold);
  const model = verdict ? { ...fitted, metadata: { ...fitted.metadata, verdict } } : fitted;
  return {
    model: certifyTexts(model as AnyModel, imported.texts),
    reading,
    labeled: classified,
    verdict,
    ...(read?.sampled && { unscored: "the rows do not fit in memory" }),
    ...(numbers && { range: numbers }),
    ...(indicated && { missing: indicated.comparison }),
  };
}

/**
 * Predicts labeled rows by the imported predictor with a distribution of other rows.
 *
 * @param predictorOf the predictor with what it learned from rows: which missing values are evidence
 */
async function predictHeldOut<Cells extends CellReading>(
  { training, host, limit }: FitContext<Cells>,
  model: Model,
  labeled: Table,
  predictorOf: (rows: Table) => KnownPredictor,
): Promise<OutOfFold | undefined> {
  const { pseudocount, bins, seed, bounds } = training;
  const how = { pseudocount, bins, seed };
  const { threads } = host;
  return limit.attempt("the verdict, which is missing", () =>
    predictOutOfFold(
      labeled,
      (rows, watch) => {
        const { table } = splitLabel(rows);
        const most = rowsToDescribe(table, bounds) ?? table.rows;
        // A distribution cannot be fitted to a column without a value in these rows.
        const lacksColumn = rows.columns.length < labeled.columns.length;
        const again = lacksColumn
          ? model
          : model.certificate.mixture === undefined
            ? conform(predictorOf(rows), table, how)
            : conformMixture(predictorOf(rows), sampleRows(table, most, seed), {
                ...how,
                ...mixtureShape(model),
                ...watch,
                threads,
                rough: true,
              });
        return (asked) => {
          const own = again as AnyModel;
          return isRegression(own)
            ? predictColumns(own, asked, { threads }).values
            : predictColumns(own, asked, { threads }).probabilities;
        };
      },
      training,
      host.reporter,
      limit,
    ),
  );
}

function verdictOf(fitted: Model, outOfFold: OutOfFold): ModelVerdict {
  const model = fitted as AnyModel;
  const scored = { ...outOfFold, imported: true } as const;
  const { outputs } = model.response;
  return isRegression(model)
    ? regressionVerdict({ ...scored, label: quoted(outputs[0]) })
    : classificationVerdict({ ...scored, classes: outputs });
}

/** Classes that are named in a message. */
const EXAMPLES = 4;

/** The rows whose label is known and, of classes, one of the classifier's, with the label behind the other columns. */
async function labelRows<Cells extends CellReading>(
  { source, training, host: { reporter } }: FitContext<Cells>,
  table: Table,
  {
    label,
    predictor,
    numbers,
    gaps,
  }: {
    readonly label: string;
    readonly predictor: KnownPredictor | KnownRegressor;
    readonly numbers: NumberLabel<Cells> | undefined;
    readonly gaps: readonly string[];
  },
): Promise<Table | undefined> {
  const values = "classes" in predictor ? predictor.classes : [];
  const column: Column = numbers
    ? { name: label, kind: "numeric" }
    : { name: label, kind: "categorical", values };
  const fields = numbers
    ? numbers.fields
    : source.cells([label], { gaps, categories: new Map([[label, values]]), texts: [label] });
  const reading = { fields, rows: table.rows };
  const read = await readTrainingTable(
    source,
    reading,
    { columns: [column] },
    { seed: training.seed },
    reporter,
  );
  const schema = { columns: [...table.schema.columns, column] };
  const labeled = labeledRows({ ...table, schema, columns: [...table.columns, ...read.table.columns] });
  if (labeled.rows > 0) return labeled;
  reporter.warn(
    `${quoted(source.name)}, column ${quoted(label)}: none of its values is a class of the classifier, which has ${listed(values, EXAMPLES)}`,
  );
  return undefined;
}
