import { type Model, saveModel } from "conformant";
import type { Command, Context, Parsed } from "../arguments/command.ts";
import { readInteger, readList } from "../arguments/read-value.ts";
import { requireColumn } from "../columns/column-options.ts";
import { CliError, listed, quoted } from "../errors.ts";
import { findColumns, requireFields } from "../predicting/find-columns.ts";
import { predictBatches } from "../predicting/predict-batches.ts";
import { predictInto, runOf } from "../predicting/predict-into.ts";
import { digits } from "../predicting/prediction-lines.ts";
import { openOutput, type PredictionOutput } from "../predicting/prediction-output.ts";
import { describeUnseen, rejectUnseen } from "../predicting/unseen-values.ts";
import type { Connector } from "../sources/connector.ts";
import { openSource } from "../sources/open-source.ts";
import { copySql, type FieldSet, fieldsOf } from "../sql/fields.ts";
import { counted } from "../terminal/numbers.ts";
import { readModel } from "./read-model.ts";
import { readSourceOptions, sourceOptions } from "./source-options.ts";

export const predict: Command = {
  name: "predict",
  summary: "class probabilities for rows with gaps",
  arguments: ["MODEL", "DATA"],
  options: {
    output: {
      short: "o",
      takes: "FILE",
      help: "write here: .csv, .tsv, .jsonl (also .gz) or .parquet; without it, CSV to standard output",
    },
    into: {
      takes: "TABLE",
      help: "write into a table of the same ClickHouse server, next to the data; a repeat writes no row twice",
    },
    run: {
      takes: "NAME",
      help: "with --into: the name of the run, by which a repeat knows what is written; of model and table without it",
    },
    parts: {
      takes: "N",
      help: "with --into: parts that are written one by one; by the number of rows without it",
    },
    keep: { list: true, takes: "A,B", help: "copy these columns through" },
    digits: {
      takes: "N",
      help: "round probabilities for reading; without it they read back to the same double",
    },
    strict: { help: "a category the model does not know is an error, not a gap" },
    ...sourceOptions,
    json: { help: "JSON lines instead of CSV" },
  },
  example: "conformant predict penguins.json new.csv -o predictions.csv",
  run: runPredict,
};

async function runPredict(parsed: Parsed, { messages }: Context): Promise<void> {
  const [modelFile, data] = parsed.positionals;
  const model = readModel(modelFile);
  const keep = readList(parsed, "keep") ?? [];
  checkNames(model, keep);
  const places = parsed.text("digits") === undefined ? undefined : readInteger(parsed, "digits", 0, 0);
  const options = readSourceOptions(parsed);
  const target = parsed.text("output");
  const connector = await openSource(data, options);
  try {
    const fields = await prepareColumns(connector, model, modelFile, keep, options.gaps, messages);
    if (parsed.flag("strict")) await rejectUnseen(connector, fields, model);
    if (parsed.text("into") !== undefined) {
      await predictNextToData(parsed, connector, fields, model, keep, messages);
      return;
    }
    const kept = keep.map((name) => ({ name, isNumber: isNumber(connector, name) }));
    const output = openOutput(target, parsed.flag("json"), model.classifier.classes, kept, digits(places));
    const rows = await predictAll(connector, fields, model, keep, output, messages);
    if (target !== undefined) messages.note(`${counted(rows, "prediction")} written to ${target}`);
  } finally {
    await connector.close();
  }
}

/** Finds the model's columns and the ones to keep, and says which are not there. */
async function prepareColumns(
  connector: Connector,
  model: Model,
  modelFile: string,
  keep: readonly string[],
  gaps: readonly string[],
  messages: Context["messages"],
): Promise<FieldSet> {
  for (const name of keep) requireColumn(connector, "--keep", name);
  const { sources, asText, missing } = findColumns(connector, model, modelFile);
  if (missing.length > 0) {
    messages.warn(`${quoted(connector.name)} lacks ${listed(missing)}: missing in every row`);
  }
  const onlyKept = keep.filter((name) => !sources.includes(name));
  await connector.prepare({ columns: [...sources, ...onlyKept], asText: new Set([...asText, ...onlyKept]) });
  const names = model.classifier.schema.columns.map(({ name }) => name);
  const fields = fieldsOf(connector, names, gaps);
  requireFields(connector, model, fields, missing);
  return fields;
}

/** Predicts on the server and writes there. */
async function predictNextToData(
  parsed: Parsed,
  connector: Connector,
  fields: FieldSet,
  model: Model,
  keep: readonly string[],
  messages: Context["messages"],
): Promise<void> {
  const table = parsed.text("into") as string;
  if (parsed.text("output") !== undefined)
    throw new CliError("usage", "predictions go either into a table (--into) or to a file (--output)");
  const run = parsed.text("run") ?? runOf(saveModel(model), connector.name, keep);
  const parts = parsed.text("parts") === undefined ? undefined : readInteger(parsed, "parts", 1, 1);
  const show = (done: number, total: number): void => messages.progress("predicting parts", done, total);
  const result = await predictInto(connector, fields, model, { table, run, parts, keep }, show);
  messages.clear();
  for (const sentence of await describeUnseen(connector, fields, model)) messages.warn(sentence);
  const before = result.skipped > 0 ? `, ${result.skipped} of ${counted(result.parts, "part")} before` : "";
  messages.note(`${counted(result.rows, "prediction")} written into ${table} by run ${run}${before}`);
}

/** Predicts all rows; what was written so far is taken away again where something fails. */
async function predictAll(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  keep: readonly string[],
  { sink, writer }: PredictionOutput,
  messages: Context["messages"],
): Promise<number> {
  const copies = keep.map((name) => copySql(connector, name));
  let [rows, unseen] = [0, 0];
  try {
    await sink.write(writer.header);
    for await (const batch of predictBatches(connector, fields, model, copies)) {
      await sink.write(writer.lines(batch));
      rows += batch.rows;
      unseen += batch.unseen;
      messages.progress("predicting", rows);
    }
    if (rows === 0)
      throw new CliError("empty-data", `${quoted(connector.name)} has no rows, expected at least one`);
    await sink.close();
  } catch (thrown) {
    sink.discard();
    throw thrown;
  }
  messages.clear();
  if (unseen > 0)
    for (const sentence of await describeUnseen(connector, fields, model)) messages.warn(sentence);
  return rows;
}

function isNumber({ columns }: Connector, name: string): boolean {
  return columns.find((column) => column.name === name)?.storage === "number";
}

/** The columns of the result must have different names. */
function checkNames(model: Model, keep: readonly string[]): void {
  const own = ["prediction", ...model.classifier.classes.map((name) => `p_${name}`)];
  const clash = keep.find((name, i) => own.includes(name) || keep.indexOf(name) !== i);
  if (clash === undefined) return;
  throw new CliError("usage", `--keep ${quoted(clash)} would give two columns of that name`, {
    hint: "rename it with --sql",
  });
}
