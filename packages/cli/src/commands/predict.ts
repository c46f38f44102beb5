import { type Model, saveModel } from "conformant";
import type { Command, Context, Parsed } from "../arguments/command.ts";
import { readInteger, readList } from "../arguments/read-value.ts";
import { CliError, quoted } from "../errors.ts";
import { type AddedColumns, type AddedRequest, addedColumns } from "../predicting/added-columns.ts";
import { predictBatches } from "../predicting/predict-batches.ts";
import { predictInto, runOf } from "../predicting/predict-into.ts";
import { digits, type ResultColumns, resultNames } from "../predicting/prediction-lines.ts";
import { openOutput, type PredictionOutput } from "../predicting/prediction-output.ts";
import { describeUnseen, rejectUnseen } from "../predicting/unseen-values.ts";
import type { Connector } from "../sources/connector.ts";
import { openSource } from "../sources/open-source.ts";
import { copySql, type FieldSet } from "../sql/fields.ts";
import { counted } from "../terminal/numbers.ts";
import { expectedNames, prepareColumns } from "./prepare-columns.ts";
import { readModel } from "./read-model.ts";
import { readSourceOptions, sourceOptions } from "./source-options.ts";

/** What JavaScript can write. */
const MOST_DIGITS = 100;

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
    raw: { help: "copy as it is what a spreadsheet would run as a formula; without it a ' is put before it" },
    interval: { help: "add interval_low, interval_high and same_decision: if everything were known" },
    level: { takes: "P", help: "the share of the possibilities that the interval holds", initially: "0.9" },
    explain: { help: "add sufficient, opposing and explanation: why" },
    surprise: { help: "add log_evidence and typicality: is the row like the data" },
    digits: {
      takes: "N",
      help: "round probabilities for reading; without it they read back to the same double",
    },
    strict: { help: "a category the model does not know is an error, not a gap" },
    ...sourceOptions,
    seed: { takes: "N", help: "decides what is drawn at random for the added columns", initially: "0" },
    json: { help: "JSON lines instead of CSV" },
  },
  example: "conformant predict penguins.json new.csv -o predictions.csv",
  run: runPredict,
};

async function runPredict(parsed: Parsed, { messages }: Context): Promise<void> {
  const [modelFile, data] = parsed.positionals;
  const model = readModel(modelFile);
  const keep = readList(parsed, "keep") ?? [];
  const added = addedColumns(model, readAdded(parsed));
  const places =
    parsed.text("digits") === undefined ? undefined : readInteger(parsed, "digits", 0, 0, MOST_DIGITS);
  const options = { ...readSourceOptions(parsed), expected: expectedNames(model, keep) };
  const target = parsed.text("output");
  const { classes } = model.classifier;
  checkNames({ classes, added: added.columns, kept: keep.map((name) => ({ name, isNumber: false })) });
  const connector = await openSource(data, options);
  try {
    const fields = await prepareColumns(connector, model, modelFile, keep, options, messages);
    if (parsed.flag("strict")) await rejectUnseen(connector, fields, model);
    if (parsed.text("into") !== undefined) {
      await predictNextToData(parsed, connector, fields, model, keep, messages);
      return;
    }
    const kept = keep.map((name) => ({ name, isNumber: isNumber(connector, name) }));
    const output = openOutput(
      target,
      parsed.flag("json"),
      { classes, added: added.columns, kept },
      digits(places),
      parsed.flag("raw"),
    );
    const rows = await predictAll(connector, fields, model, keep, added, output, messages);
    if (target !== undefined) messages.note(`${counted(rows, "prediction")} written to ${target}`);
  } finally {
    await connector.close();
  }
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
  added: AddedColumns,
  { sink, writer }: PredictionOutput,
  messages: Context["messages"],
): Promise<number> {
  const copies = keep.map((name) => copySql(connector, name));
  let [rows, unseen] = [0, 0];
  try {
    await sink.write(writer.header);
    for await (const batch of predictBatches(connector, fields, model, copies, added)) {
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

/** What is asked of every row besides its prediction. */
function readAdded(parsed: Parsed): AddedRequest {
  const level = Number(parsed.text("level") ?? 0.9);
  if (!(level > 0 && level < 1))
    throw new CliError(
      "usage",
      `--level must be a probability between 0 and 1, got "${parsed.text("level")}"`,
    );
  return {
    interval: parsed.flag("interval") ? level : undefined,
    explain: parsed.flag("explain"),
    surprise: parsed.flag("surprise"),
    seed: readInteger(parsed, "seed", 0, 0),
  };
}

/** The columns of the result must have different names. */
function checkNames(columns: ResultColumns): void {
  const names = resultNames(columns);
  const clash = columns.kept.find(({ name }) => names.indexOf(name) !== names.lastIndexOf(name));
  if (clash === undefined) return;
  throw new CliError("usage", `--keep ${quoted(clash.name)} would give two columns of that name`, {
    hint: "rename it with --sql",
  });
}
