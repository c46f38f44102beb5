import { type AnyModel, isRegression } from "conformant";
import { treesOf } from "conformant/trees";
import {
  type AddedRequest,
  addedColumns,
  compareWithTraining,
  counted,
  roundPercent,
  sourceColumnOf,
} from "conformant-workbench";
import { metadataOf } from "conformant-workbench/describe";
import { copySql } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { applyShifts, shiftOption } from "../options/apply-shifts.ts";
import { type Command, type Context, grouped, type Parsed } from "../options/command.ts";
import { readThreads, threadsOption } from "../options/read-threads.ts";
import { readInteger, readList, seedOption } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions, strictOption } from "../options/source-options.ts";
import { STDOUT } from "../output/atomic-file.ts";
import { WorkThreads } from "../process/work-threads.ts";
import type { Connector } from "../sources/connector.ts";
import { countAbsences } from "../sources/count-absences.ts";
import { openSource } from "../sources/open-source.ts";
import { type PredictedBatch, predictBatches, scoresInPlace } from "../sources/predict-batches.ts";
import type { Selection } from "../sources/select-predictions.ts";
import type { SourceOptions } from "../sources/source-options.ts";
import { describeCounts, describeUnseen, rejectUnseen } from "../sources/unseen-values.ts";
import { copyPredictions, isCopied } from "../targets/copy-predictions.ts";
import { checkWrittenName, findTarget, isFolder } from "../targets/find-target.ts";
import { keptType } from "../targets/kept-type.ts";
import { type IntoRequest, predictInto } from "../targets/predict-into.ts";
import {
  digits,
  jsonKey,
  type LineWriter,
  type ResultColumn,
  type ResultColumns,
  resultNames,
} from "../targets/prediction-lines.ts";
import {
  checkOutputName,
  OUTPUT_FORMATS,
  type OutputFormat,
  openOutput,
  outputFormat,
  type PredictionOutput,
} from "../targets/prediction-output.ts";
import { runOf, runSettings } from "../targets/run-settings.ts";
import { scoredLines, type WrittenLines, writesLines } from "../targets/scored-lines.ts";
import { addedOptions, readAdded } from "./added-options.ts";
import { expectedNames, prepareColumns } from "./prepare-columns.ts";
import { readAnyModel } from "./read-model.ts";

/** The largest table that JavaScript can address. */
const MOST_DIGITS = 100;

/** The format of DATA has another option here, because `--format` is the output format. */
const { format: inputFormat, ...inputOptions } = sourceOptions;

export const predict: Command = {
  name: "predict",
  summary: "predict class probabilities for rows with missing values",
  arguments: ["MODEL", "DATA..."],
  options: {
    output: {
      short: "o",
      writes: true,
      takes: "FILE",
      help: "write to FILE: .csv, .tsv, .jsonl (also .gz, .zst) or .parquet",
      initially: "standard output",
    },
    keep: { list: true, takes: "A,B|all", help: "copy these columns to the output, or all of them" },
    format: {
      takes: "FORMAT",
      choices: OUTPUT_FORMATS,
      help: "output format",
      initially: "by the name of the file, else csv",
    },
    json: { help: "print JSON lines instead of CSV" },
    digits: {
      takes: "N",
      help: "round probabilities to N digits",
      initially: "as many as read back exactly",
    },
    strict: strictOption,
    check: {
      help: "warn of columns that are missing, or have unknown values or numbers beyond the training range, more often than in training",
    },
    ...addedOptions,
    ...grouped("Output options", {
      into: {
        takes: "TABLE|FOLDER/",
        excludes: ["output", "format", "json", "digits"],
        help: "write into a table of the same database, or a folder of Parquet files; a rerun writes no row twice",
      },
      run: {
        takes: "NAME",
        requires: ["into"],
        help: "run ID; a rerun skips rows already written",
        initially: "derived from model, data and options",
      },
      replace: {
        requires: ["run"],
        help: "replace a run of that name that had another model, query or columns",
      },
      parts: {
        takes: "N",
        requires: ["into"],
        help: "number of parts written to ClickHouse one by one",
        initially: "by number of rows",
      },
      raw: {
        requires: ["keep"],
        excludes: ["json"],
        help: "copy texts that a spreadsheet would run as formulas without a leading apostrophe",
      },
    }),
    ...inputOptions,
    "input-format": inputFormat,
    ...shiftOption,
    threads: threadsOption,
    seed: { ...seedOption, requires: ["interval", "surprise", "randomized"] },
  },
  example: "conformant predict penguins.json new.csv -o predictions.csv",
  run: runPredict,
};

/** Warns of columns that differ from training in how often they are missing or have unknown values. */
async function warnOfDrift(
  selection: Selection,
  modelFile: string,
  messages: Context["messages"],
): Promise<void> {
  const { columns: summaries } = metadataOf(selection.model);
  if (!summaries)
    throw new CliError(
      "usage",
      `--check requires a summary of the training data, which ${quoted(modelFile)} lacks: fit the model again`,
    );
  const { rows, columns } = await countAbsences(selection, summaries);
  if (rows === 0) return;
  const drifts = compareWithTraining(columns, rows, summaries, selection.model.rows);
  for (const { column, kind, share, trainingShare } of drifts)
    messages.warn(
      kind === "missing"
        ? `column ${quoted(column)}: missing in ${roundPercent(share)} of ${counted(rows, "row")}, in training in ${roundPercent(trainingShare)}`
        : `column ${quoted(column)}: ${roundPercent(share)} of ${counted(rows, "row")} have values that are not in the training data or beyond its range, where at most ${roundPercent(trainingShare)} were expected`,
    );
  if (drifts.length === 0)
    messages.note("check: no column differs from the training data by more than chance explains");
}

/** The precision of predictions of trees: 0 where they are exact, else the standard error of the sampling. */
const STANDARD_ERROR = { name: "standard_error", isNumber: true };

/** Whether predictions may be sampled. */
function isSampled(model: AnyModel): boolean {
  if (!isRegression(model)) return treesOf(model) !== undefined;
  const { predictor } = model;
  return predictor.kind !== "linear" || predictor.link === "logit" || predictor.link === "probit";
}

/** Throws for options that a predicted number does not have. */
function rejectForNumbers(parsed: Parsed, { response }: AnyModel): void {
  const option = (["randomized", "explain"] as const).find((name) => parsed.flag(name));
  if (option === undefined) return;
  const number = quoted(response.outputs[0]);
  throw new CliError("usage", `--${option} is for models of classes; this one predicts the number ${number}`);
}

async function runPredict(parsed: Parsed, { messages }: Context): Promise<void> {
  const [modelFile, ...data] = parsed.positionals;
  const model = applyShifts(parsed, readAnyModel(modelFile));
  const kept = readList(parsed, "keep") ?? [];
  const keepsAll = kept.length === 1 && kept[0] === "all";
  const wanted = readAdded(parsed, model);
  const added = addedColumns(model, wanted);
  const places =
    parsed.text("digits") === undefined ? undefined : readInteger(parsed, "digits", 0, 0, MOST_DIGITS);
  const options = {
    ...readSourceOptions(parsed, messages, "input-format", metadataOf(model).reading),
    expected: expectedNames(model, keepsAll ? [] : kept),
    mayBeEmpty: true,
  };
  const [target, into] = [parsed.text("output"), parsed.text("into")];
  const format = outputFormat(target, parsed.text("format"), parsed.flag("json"));
  const classes = isRegression(model) ? [] : model.response.outputs;
  if (isRegression(model)) rejectForNumbers(parsed, model);
  const addedColumnsOf = [...(isSampled(model) ? [STANDARD_ERROR] : []), ...added.columns];
  const checkKept = (names: readonly string[]): void =>
    checkNames({ classes, added: addedColumnsOf, kept: names.map((name) => ({ name, isNumber: false })) }, [
      ...(into === undefined ? [] : ["run"]),
      ...(format === "json" ? ["probabilities", ...addedColumnsOf.map(({ name }) => jsonKey(name))] : []),
    ]);
  if (!keepsAll) checkKept(kept);
  if (target !== undefined) checkOutputName(target);
  for (const option of ["into", "run"] as const) checkWrittenName(option, parsed.text(option) ?? "");
  const writable = into !== undefined && !isFolder(into, data);
  const work = new WorkThreads(readThreads(parsed));
  const { threads } = work;
  const connector = await openSource(data, { ...options, writable });
  try {
    const keep = keepsAll ? connector.columns.map(({ name }) => name) : kept;
    if (keepsAll) checkKept(keep);
    const fields = await prepareColumns(
      connector,
      { model, modelFile, keep },
      { ...options, strict: parsed.flag("strict") },
      messages,
    );
    if (parsed.flag("strict")) await rejectUnseen(connector, fields, model);
    if (parsed.flag("check")) await warnOfDrift({ connector, fields, model }, modelFile, messages);
    const result = { classes, added: addedColumnsOf, kept: keep.map((name) => keptColumn(connector, name)) };
    if (into !== undefined) {
      const found = findTarget(into, data, connector, result);
      await predictRun(
        parsed,
        { connector, fields, model, keep, added, result, threads, target: found },
        wanted,
        options,
        messages,
      );
      return;
    }
    const inPlace = connector.execute && isCopied(target, format) && places === undefined;
    if (inPlace && scoresInPlace(connector, model, added)) {
      const rows = await predictInPlace(parsed, format, { connector, fields, model }, keep, result, messages);
      messages.note(`${counted(rows, "prediction")} written to ${target}`);
      return;
    }
    const output = openOutput(target, format, result, digits(places), parsed.flag("raw"));
    const rows = await predictAll({ connector, fields, model }, { keep, added, threads }, output, messages);
    for (const note of added.notes?.() ?? []) messages.warn(note);
    if (target !== undefined && target !== STDOUT)
      messages.note(`${counted(rows, "prediction")} written to ${target}`);
  } finally {
    await Promise.all([connector.close(), work.close()]);
  }
}

type RunParts = Pick<IntoRequest, keyof Selection | "keep" | "added" | "result" | "threads" | "target">;

/** Predicts into a table or a folder. */
async function predictRun(
  parsed: Parsed,
  request: RunParts,
  wanted: AddedRequest,
  options: SourceOptions,
  messages: Context["messages"],
): Promise<void> {
  const { connector, fields, model, keep, target } = request;
  if (!target.inParts && parsed.flag("parts"))
    throw new CliError("usage", `--parts is for ClickHouse; ${quoted(target.name)} is written in one piece`);
  const settings = runSettings(model, connector.name, options, keep, wanted);
  const run = parsed.text("run") ?? runOf(settings);
  const names = model.schema.columns.map(({ name }) => name);
  const { rows, parts, skipped, unseen } = await predictInto({
    ...request,
    run,
    settings,
    named: parsed.flag("run"),
    replace: parsed.flag("replace"),
    parts: parsed.text("parts") === undefined ? undefined : readInteger(parsed, "parts", 1, 1),
    sources: names.flatMap((name) => sourceColumnOf(connector.columns, name)?.name ?? []),
    copies: keep.map((name) => copySql(connector, name)),
    progress: (done, total) => messages.progress("predicting parts", done, total),
    note: (text) => messages.warn(text),
  });
  messages.clear();
  for (const sentence of await describeCounts(connector, fields, unseen)) messages.warn(sentence);
  for (const note of request.added.notes?.() ?? []) messages.warn(note);
  const before =
    skipped === 0 ? "" : parts === 1 ? ", before" : `, ${skipped} of ${counted(parts, "part")} before`;
  messages.note(`${counted(rows, "prediction")} written into ${target.name} by run ${run}${before}`);
}

/** Predicts all rows into a file that the engine writes itself. */
async function predictInPlace(
  parsed: Parsed,
  format: OutputFormat,
  selection: Selection,
  keep: readonly string[],
  result: ResultColumns,
  messages: Context["messages"],
): Promise<number> {
  const [execute, target] = [
    selection.connector.execute as NonNullable<Connector["execute"]>,
    parsed.text("output") ?? "",
  ];
  const guarded = !parsed.flag("raw");
  const { rows, notes } = await copyPredictions(selection, {
    execute,
    target,
    format,
    keep,
    result,
    guarded,
  });
  for (const note of notes) messages.warn(note);
  return rows;
}

/** Predicts all rows; a partial result is removed after an error. */
async function predictAll(
  selection: Selection,
  { keep, added, threads }: Pick<IntoRequest, "keep" | "added" | "threads">,
  { sink, writer }: PredictionOutput,
  messages: Context["messages"],
): Promise<number> {
  const { connector, fields, model } = selection;
  const copies = keep.map((name) => copySql(connector, name));
  const lines = writesLines(selection, added, writer)
    ? scoredLines(selection, copies, writer.form as NonNullable<LineWriter["form"]>)
    : batchLines(predictBatches(selection, copies, added, { threads }), writer);
  let [rows, unseen] = [0, 0];
  let notes: readonly string[] = [];
  try {
    await sink.write(writer.header);
    for await (const piece of lines) {
      await sink.write(piece.text);
      rows += piece.rows;
      unseen += piece.unseen;
      messages.progress("predicting", rows);
    }
    // Everything that may fail happens before the file gets its name.
    if (unseen > 0) notes = await describeUnseen(connector, fields, model);
    connector.requireUnchanged?.();
    await sink.close();
  } catch (thrown) {
    sink.discard();
    throw thrown;
  }
  messages.clear();
  for (const note of notes) messages.warn(note);
  return rows;
}

async function* batchLines(
  batches: AsyncIterable<PredictedBatch>,
  { lines }: LineWriter,
): AsyncGenerator<WrittenLines> {
  for await (const batch of batches) yield { text: lines(batch), rows: batch.rows, unseen: batch.unseen };
}

function keptColumn(connector: Connector, name: string): ResultColumn {
  const column = connector.columns.find((candidate) => candidate.name === name);
  return {
    name,
    isNumber: column?.storage === "number",
    ...(column && { type: keptType(connector, column) }),
  };
}

/** The columns of the result must have different names, including those that the target adds. */
function checkNames(columns: ResultColumns, others: readonly string[]): void {
  const names = [...others, ...resultNames(columns)];
  const clash = columns.kept.find(({ name }) => names.indexOf(name) !== names.lastIndexOf(name));
  if (clash === undefined) return;
  throw new CliError("usage", `--keep ${quoted(clash.name)} would give two columns of that name`, {
    hint: "rename it with --sql",
  });
}
