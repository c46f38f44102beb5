import {
  type Certificate,
  type Chunk,
  type Classifier,
  conform,
  conformChunks,
  conformMixture,
  type MixtureOptions,
  type Model,
  type Table,
} from "conformant";
import { CliError } from "../errors.ts";
import { readRows } from "../reading/read-rows.ts";
import { counted } from "../terminal/numbers.ts";
import type { FitRequest } from "./fit-request.ts";
import { type ColumnReading, marginalsOf } from "./read-columns.ts";
import { readTrainingTable } from "./read-training-table.ts";

/** Held-out likelihood by number of components. */
export type ChoiceOfSize = NonNullable<Certificate["mixture"]>["heldOut"];

/** A distribution, and how its size was chosen where it was. */
export interface Distribution {
  readonly model: Model;
  readonly choice: ChoiceOfSize;
}

/**
 * Learns the distribution of the rows. One component of atoms is the paper's method and needs only the counts per column; a
 * mixture needs the rows, which stay in memory where they fit and are read again for each step where they do not.
 *
 * @param rows all rows in the classifier's columns, where they are in memory already
 * @param known a mixture of all these rows, where there is one
 */
export async function fitDistribution(
  request: FitRequest,
  classifier: Classifier,
  reading: ColumnReading,
  rows?: Table,
  known?: Model,
): Promise<Distribution> {
  const { pseudocount, seed, components, numeric } = request.options;
  const paper = (): Model =>
    conform(classifier, marginalsOf(reading, classifier.schema), { pseudocount, seed });
  const anyNumber = classifier.schema.columns.some(({ kind }) => kind === "numeric");
  if (components === 1 && (numeric !== "gaussian" || !anyNumber))
    return { model: paper(), choice: undefined };
  const mixture = rows && known ? known : await fitMixture(request, classifier, reading, rows, known);
  const choice = (known ?? mixture).certificate.mixture?.heldOut;
  return { model: mixture.components.length === 1 && !mixture.block ? paper() : mixture, choice };
}

async function fitMixture(
  request: FitRequest,
  classifier: Classifier,
  reading: ColumnReading,
  rows: Table | undefined,
  sized: Model | undefined,
): Promise<Model> {
  const { options, messages } = request;
  const { pseudocount, bins, seed, numeric } = options;
  const settings: MixtureOptions = {
    pseudocount,
    bins,
    seed,
    numeric,
    components: sized?.components.length ?? options.components,
  };
  const read = rows
    ? { table: rows, sampled: false }
    : await readTrainingTable(request, reading, classifier.schema);
  messages.progress("fitting the mixture");
  if (!read.sampled)
    return conformMixture(classifier, { ...read.table, schema: classifier.schema }, settings);
  if (numeric === "gaussian") {
    const message = `--numeric gaussian needs the rows in memory, and ${counted(reading.rows, "row")} do not fit`;
    throw new CliError("not-available", message, { hint: "--numeric atoms reads them in passes" });
  }
  return conformChunks(classifier, () => chunksOf(request, reading, classifier), settings);
}

async function* chunksOf(
  { connector, messages }: FitRequest,
  { fields, rows }: ColumnReading,
  { schema }: Classifier,
): AsyncGenerator<Chunk> {
  for await (const batch of readRows(connector, fields, schema)) {
    messages.progress("fitting the mixture to all rows", batch.start + batch.rows, rows);
    yield { data: { schema, rows: batch.rows, columns: batch.columns as Table["columns"], unseen: [] } };
  }
}
