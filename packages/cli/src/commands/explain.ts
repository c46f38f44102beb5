import { type NumberSensitivity, type Sensitivity, sensitivityInWords } from "conformant";
import { drawContributions } from "conformant-workbench";
import { metadataOf } from "conformant-workbench/describe";
import { CliError, quoted } from "../errors.ts";
import { applyShifts, shiftOption } from "../options/apply-shifts.ts";
import { type Command, type Context, grouped, type Parsed } from "../options/command.ts";
import { readRequest } from "../options/explain-request.ts";
import { readList } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions, strictOption } from "../options/source-options.ts";
import { createAtomicFile, writeAtomically } from "../output/atomic-file.ts";
import { openSource } from "../sources/open-source.ts";
import { rejectUnseen } from "../sources/unseen-values.ts";
import { stdoutSink } from "../targets/text-sink.ts";
import { printable } from "../terminal/printable.ts";
import { type ExplainedRow, explainRows, type RowRange } from "./explain-rows.ts";
import { explanationJson } from "./explanation-json.ts";
import { explanationText, shapleyText } from "./explanation-text.ts";
import { numberExplanationText, numberSensitivityText, numberShapleyText } from "./number-text.ts";
import { expectedNames, prepareColumns } from "./prepare-columns.ts";
import { readAnyModel } from "./read-model.ts";

/** The number of rows that are explained in words, or drawn, by default. */
const MOST = 10;

export const explain: Command = {
  name: "explain",
  summary: "explain predictions, and find the values that would suffice",
  arguments: ["MODEL", "DATA..."],
  options: {
    row: {
      list: true,
      takes: "N,N-M",
      help: "rows to explain, counted from 1, e.g. 3,7 or 2-4",
      initially: `the first ${MOST}, all with --json`,
    },
    shapley: { help: "add Shapley values of the known columns" },
    sensitivity: { help: "report how non-random missingness must be to flip the decision" },
    svg: {
      takes: "FILE",
      writes: true,
      help: "draw the contributions, from the prior to the prediction, as SVG",
    },
    json: { help: "print JSON: one object, or a list for several rows" },
    strict: strictOption,
    ...grouped("Explanation options", {
      threshold: {
        takes: "P",
        help: "find the values that suffice to keep this probability instead of the decision, or keep a number on its side of P",
      },
      use: { list: true, takes: "A,B", help: "columns that the sufficient explanation must contain" },
      avoid: { list: true, takes: "A,B", help: "columns that it must not contain" },
      groups: { list: true, takes: "G=A+B", help: "columns that are observed together, under one name" },
      interventional: {
        requires: ["shapley"],
        help: "draw left-out columns independently of the known ones",
      },
      "time-limit": {
        takes: "SECONDS",
        help: "time to search for a smallest explanation, per row",
        initially: "1",
      },
    }),
    ...sourceOptions,
    ...shiftOption,
  },
  example: "conformant explain penguins.json penguins.csv --row 8",
  run: runExplain,
};

async function runExplain(parsed: Parsed, { messages }: Context): Promise<void> {
  const [modelFile, ...data] = parsed.positionals;
  const model = applyShifts(parsed, readAnyModel(modelFile));
  const request = readRequest(parsed, model);
  const wanted = readRows(parsed);
  const picture = parsed.text("svg");
  if (picture !== undefined) createAtomicFile(picture).discard(); // an unwritable file is reported before the work
  const options = {
    ...readSourceOptions(parsed, messages, "format", metadataOf(model).reading),
    expected: expectedNames(model),
  };
  const connector = await openSource(data, options);
  try {
    const fields = await prepareColumns(
      connector,
      { model, modelFile },
      { ...options, strict: parsed.flag("strict") },
      messages,
    );
    if (parsed.flag("strict")) await rejectUnseen(connector, fields, model);
    const all = reportUnseen(explainRows(connector, fields, model, wanted, request), messages);
    const capped = wanted === undefined && (picture !== undefined || !parsed.flag("json"));
    const rows = capped ? first(all, messages) : all;
    if (picture === undefined) return await printRows(rows, parsed.flag("json"));
    const drawn: ExplainedRow[] = [];
    for await (const row of rows) drawn.push(row);
    writeAtomically(picture, drawRow(drawn));
    await printRows(drawn, parsed.flag("json"));
    messages.note(`picture written to ${picture}`);
  } finally {
    await connector.close();
  }
}

/** The numbers and ranges of --row. */
function readRows(parsed: Parsed): RowRange[] | undefined {
  return readList(parsed, "row")?.map((text) => {
    const [, first, last = first] = /^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/.exec(text) ?? [];
    const range = { from: Number(first), to: Number(last) };
    if (range.from <= range.to) return range;
    throw new CliError(
      "usage",
      `--row must be row numbers, counted from 1, such as 3,7 or 2-4, got ${quoted(text)}`,
    );
  });
}

/** The contributions of the only row as an SVG. */
function drawRow(rows: readonly ExplainedRow[]): string {
  const [{ explanation }] = rows;
  if ("output" in explanation)
    throw new CliError(
      "usage",
      `--svg is for models of classes; this one predicts the number ${quoted(explanation.output)}`,
    );
  if (rows.length === 1) return drawContributions(explanation);
  throw new CliError("usage", "--svg draws one row of a table, DATA has several", {
    hint: "choose one with --row N",
  });
}

/** The first rows, and a note if there are more. */
async function* first(
  rows: AsyncIterable<ExplainedRow>,
  messages: Context["messages"],
): AsyncGenerator<ExplainedRow> {
  let taken = 0;
  for await (const row of rows) {
    if (taken++ === MOST)
      return messages.note(`these are the first ${MOST} rows; --row N explains another, --json all of them`);
    yield row;
  }
}

/** Reports once per column that an unknown category was treated as missing. */
async function* reportUnseen(
  rows: AsyncIterable<ExplainedRow>,
  messages: Context["messages"],
): AsyncGenerator<ExplainedRow> {
  const said = new Set<string>();
  for await (const explained of rows) {
    for (const { column, examples } of explained.explanation.unseen) {
      if (!said.has(column))
        messages.warn(
          `row ${explained.number}, column ${quoted(column)}: ${quoted(examples[0])} is an unknown category and counts as missing`,
        );
      said.add(column);
    }
    yield explained;
  }
}

async function printRows(
  rows: AsyncIterable<ExplainedRow> | Iterable<ExplainedRow>,
  json: boolean,
): Promise<void> {
  const { write } = stdoutSink();
  if (json) {
    for await (const line of explanationJson(rows)) await write(`${line}\n`);
    return;
  }
  let printed = 0;
  for await (const { number, explanation, shapley, sensitivity } of rows) {
    const shares = shapley && ("output" in shapley ? numberShapleyText(shapley) : shapleyText(shapley));
    const tilts =
      sensitivity &&
      (typeof sensitivity.prediction === "number"
        ? numberSensitivityText(sensitivity as NumberSensitivity)
        : sensitivityInWords(sensitivity as Sensitivity));
    const own = "output" in explanation ? numberExplanationText(explanation) : explanationText(explanation);
    const parts = [`Row ${number}. ${own}`, ...(shares ? [shares] : []), ...(tilts ? [tilts] : [])];
    await write(`${printed++ > 0 ? "\n" : ""}${printable(parts.join("\n\n"))}\n`);
  }
}
