import { calibrate as calibrateModel, isRegression, saveCalibration, type Table } from "conformant";
import { pickRows } from "conformant/internal";
import { counted, SeededChoice } from "conformant-workbench";
import { metadataOf } from "conformant-workbench/describe";
import type { Command, Context, Messages, Parsed } from "../options/command.ts";
import { usage } from "../options/parse-command-line.ts";
import { readInteger, seedOption } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions } from "../options/source-options.ts";
import { createAtomicFile, writeAtomically } from "../output/atomic-file.ts";
import { expectedNames } from "./prepare-columns.ts";
import { allowTrainingRows, openTestRows } from "./read-labeled-rows.ts";
import { readAnyModel } from "./read-model.ts";

export const calibrate: Command = {
  name: "calibrate",
  summary: "calibrate prediction sets and intervals with a guaranteed coverage on labeled rows",
  arguments: ["MODEL", "DATA..."],
  options: {
    output: {
      short: "o",
      writes: true,
      takes: "FILE",
      required: true,
      help: "write the calibration set to FILE; unlike a model it contains the rows",
    },
    label: {
      takes: "COLUMN",
      help: "column with the true classes or numbers",
      initially: "the label the model was trained on",
    },
    rows: { takes: "N", help: "maximum rows to keep, chosen at random", initially: "2000" },
    "allow-training-rows": allowTrainingRows,
    ...sourceOptions,
    seed: seedOption,
  },
  example:
    'conformant fit penguins.csv --label species -o fitted.json -q \\\n  --where "hash(bill_length) % 3 > 0"\nconformant calibrate fitted.json penguins.csv -o calibration.json \\\n  --where "hash(bill_length) % 3 = 0"',
  run: runCalibrate,
};

async function runCalibrate(parsed: Parsed, { messages }: Context): Promise<void> {
  const [modelFile, ...data] = parsed.positionals;
  const output = parsed.text("output") ?? "";
  const model = readAnyModel(modelFile);
  const label = parsed.text("label") ?? model.predictor.label;
  if (label === undefined)
    throw usage(calibrate, "calibrate requires --label COLUMN: the model was imported");
  const [most, seed] = [readInteger(parsed, "rows", 2000, 1), readInteger(parsed, "seed", 0, 0)];
  createAtomicFile(output).discard();
  const how = { modelName: modelFile, label, seed, expected: expectedNames(model, [label]) };
  const allowed = parsed.flag("allow-training-rows");
  const all = await openTestRows(
    data,
    model,
    { ...readSourceOptions(parsed, messages, "format", metadataOf(model).reading), ...how, allowed },
    messages,
  );
  messages.clear();
  const calibration = calibrateModel(model, chooseRows(all, most, seed), { label });
  writeAtomically(output, saveCalibration(calibration));
  describe(calibration.labels.length, isRegression(model) ? "intervals" : "sets", messages);
  messages.note(`calibration written to ${output}; it contains these rows`);
}

function chooseRows(table: Table, most: number, seed: number): Table {
  const choice = new SeededChoice(table.rows, Math.min(table.rows, most), seed);
  return pickRows(
    table,
    Int32Array.from({ length: table.rows }, (_, r) => r).filter(() => choice.next()),
  );
}

/** Reports the number of rows, and warns where there are too few. */
function describe(rows: number, what: string, messages: Messages): void {
  const highest = Math.floor((1000 * rows) / (rows + 1)) / 1000;
  messages.note(`${counted(rows, "row")}: enough for ${what} of a coverage up to ${highest}`);
}
