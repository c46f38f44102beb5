import { sensitivityInWords } from "conformant";
import { drawContributions } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import { applyShifts, shiftOption } from "../options/apply-shifts.ts";
import type { Command, Context, Parsed } from "../options/command.ts";
import { readRequest } from "../options/explain-request.ts";
import { readList } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions } from "../options/source-options.ts";
import { createAtomicFile, writeAtomically } from "../output/atomic-file.ts";
import { openSource } from "../sources/open-source.ts";
import { rejectUnseen } from "../sources/unseen-values.ts";
import { stdoutSink } from "../targets/text-sink.ts";
import { printable } from "../terminal/printable.ts";
import { type ExplainedRow, explainRows, type RowRange } from "./explain-rows.ts";
import { explanationJson } from "./explanation-json.ts";
import { explanationText, shapleyText } from "./explanation-text.ts";
import { expectedNames, prepareColumns } from "./prepare-columns.ts";
import { readModel } from "./read-model.ts";

/** Rows that are explained in words, or drawn, where none are named. */
const MOST = 10;

export const explain: Command = {
  name: "explain",
  summary: "why a row gets its prediction, and which of its values would have been enough",
  arguments: ["MODEL", "DATA..."],
  options: {
    row: {
      list: true,
      takes: "N,N-M",
      help: `rows by number, such as 3,7 or 2-4 (default: all with --json, else the first ${MOST})`,
    },
    threshold: { takes: "P", help: "explain what suffices to keep this probability, not the decision" },
    use: { list: true, takes: "A,B", help: "columns that must be in the sufficient explanation" },
    avoid: { list: true, takes: "A,B", help: "columns that must not be in it" },
    groups: { list: true, takes: "G=A+B", help: "columns that come and go together, under a name" },
    "time-limit": {
      takes: "SECONDS",
      help: "how long to look for a smallest explanation of a row",
      initially: "1",
    },
    shapley: { help: "share the probability out among the known columns: their Shapley values" },
    interventional: {
      help: "with --shapley: columns left out are drawn anew, not unknown, so that what the others tell of them does not count",
    },
    sensitivity: { help: "say how far from random gaps must be for the decision to be another" },
    ...shiftOption,
    svg: { takes: "FILE", writes: true, help: "draw the explanation: bars from the prior to the prediction" },
    strict: { help: "a category the model does not know is an error, not a gap" },
    ...sourceOptions,
    json: { help: "print it as JSON: an object, a list of them for several rows" },
  },
  example: "conformant explain penguins.json penguins.csv --row 8",
  run: runExplain,
};

async function runExplain(parsed: Parsed, { messages }: Context): Promise<void> {
  const [modelFile, ...data] = parsed.positionals;
  const model = applyShifts(parsed, readModel(modelFile));
  const request = readRequest(parsed, model);
  const wanted = readRows(parsed);
  const picture = parsed.text("svg");
  if (picture !== undefined) createAtomicFile(picture).discard(); // an unwritable file is reported before the work
  const options = { ...readSourceOptions(parsed, messages), expected: expectedNames(model) };
  const connector = await openSource(data, options);
  try {
    const fields = await prepareColumns(connector, { model, modelFile }, options, messages);
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

/** The numbers and ranges after --row. */
function readRows(parsed: Parsed): RowRange[] | undefined {
  return readList(parsed, "row")?.map((text) => {
    const [, first, last = first] = /^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?$/.exec(text) ?? [];
    const range = { from: Number(first), to: Number(last) };
    if (range.from <= range.to) return range;
    throw new CliError(
      "usage",
      `--row must be numbers of rows from 1 such as 3,7 or 2-4, got ${quoted(text)}`,
    );
  });
}

/** The contributions of the only row as an SVG. */
function drawRow(rows: readonly ExplainedRow[]): string {
  if (rows.length === 1) return drawContributions(rows[0].explanation);
  throw new CliError("usage", "--svg draws one row of a table, DATA has several", {
    hint: "choose one with --row N",
  });
}

/** The first rows, and a word if there are more. */
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

/** Says once per column that a category was taken for a gap. */
async function* reportUnseen(
  rows: AsyncIterable<ExplainedRow>,
  messages: Context["messages"],
): AsyncGenerator<ExplainedRow> {
  const said = new Set<string>();
  for await (const explained of rows) {
    for (const { column, examples } of explained.explanation.unseen) {
      if (!said.has(column))
        messages.warn(
          `row ${explained.number}, column ${quoted(column)}: ${quoted(examples[0])} is a category the model does not know, taken as missing`,
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
    const parts = [
      `Row ${number}. ${explanationText(explanation)}`,
      ...(shapley ? [shapleyText(shapley)] : []),
      ...(sensitivity ? [sensitivityInWords(sensitivity)] : []),
    ];
    await write(`${printed++ > 0 ? "\n" : ""}${printable(parts.join("\n\n"))}\n`);
  }
}
