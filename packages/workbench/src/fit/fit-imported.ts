import type { Table } from "conformant";
import { addColumns, pickRows } from "conformant/internal";
import type { ClassifierFile } from "../import/classifier-file.ts";
import { listed, quoted } from "../source/quoted.ts";
import type { CellReading } from "../source/table-source.ts";
import { fitDistribution, fitMixtureOfRows, mixtureSettings } from "./fit-distribution.ts";
import type { FittedTable, TableRequest } from "./fit-table.ts";
import { certifyTexts, importClassifier } from "./import-classifier.ts";
import { readTable } from "./read-table.ts";

/** Classes that are named in a message. */
const EXAMPLES = 4;

/** What a model is to be made of where the classifier is there already. */
export interface ImportedRequest<Cells extends CellReading> extends Omit<TableRequest<Cells>, "label"> {
  readonly file: ClassifierFile;
  /** The column with the true classes, where there is one: nothing is learned from it. */
  readonly label: string | undefined;
}

/** Takes a classifier that was trained elsewhere and learns the distribution of rows that fit in memory. */
export async function fitImported<Cells extends CellReading>(
  request: ImportedRequest<Cells>,
): Promise<FittedTable> {
  const { source, file, columns, options, gaps, messages } = request;
  const brought = await importClassifier(source, file, { columns, gaps, bins: options.bins }, messages);
  const { fields, ...reading } = brought.reading;
  const classifier = addColumns(brought.classifier, reading.also);
  const rows = await readTable(source, fields, classifier.schema, reading.rows, messages);
  const distribution = await fitDistribution(request, classifier, reading, () =>
    fitMixtureOfRows(classifier, rows, mixtureSettings(request)),
  );
  const model = certifyTexts(distribution, brought.texts);
  return {
    model,
    reading,
    training: undefined,
    labelled: await labelRows(request, rows, classifier.classes),
  };
}

/** The rows whose class is known and one of the classifier's, with the label behind the other columns. */
async function labelRows<Cells extends CellReading>(
  { source, label, gaps, messages }: ImportedRequest<Cells>,
  table: Table,
  classes: readonly string[],
): Promise<Table | undefined> {
  if (label === undefined) return undefined;
  const column = { name: label, kind: "categorical", values: classes } as const;
  const cells = source.cells([label], { gaps, categories: new Map([[label, classes]]), texts: [label] });
  const {
    columns: [labels],
  } = await readTable(source, cells, { columns: [column] }, table.rows, messages);
  const known = Int32Array.from(labels.keys()).filter((r) => labels[r] >= 0);
  if (known.length === 0) {
    messages.warn(
      `${quoted(source.name)}, column ${quoted(label)}: none of its values is a class of the classifier, which has ${listed(classes, EXAMPLES)}`,
    );
    return undefined;
  }
  const schema = { columns: [...table.schema.columns, column] };
  return pickRows({ ...table, schema, columns: [...table.columns, labels] }, known);
}
