import { type Calibration, isRegression, type Model, type RegressionModel, type Table } from "conformant";
import { isMissing } from "conformant/internal";
import {
  counted,
  type EvaluationPlan,
  evaluateNumbers,
  evaluateRows,
  type Mechanism,
  NATIVE,
} from "conformant-workbench";
import { describeModel, metadataOf } from "conformant-workbench/describe";
import { CliError, listed, quoted } from "../errors.ts";
import { type Command, type Context, grouped, type Parsed } from "../options/command.ts";
import { readInteger, readList, readShares, seedOption } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions } from "../options/source-options.ts";
import { createAtomicFile, writeAtomically } from "../output/atomic-file.ts";
import { parseAddress } from "../sources/address.ts";
import type { SourceOptions } from "../sources/source-options.ts";
import { readCoverage } from "./added-options.ts";
import { COMPARED_METHODS, checkBaselines, DEFAULT_BASELINES, requireNative } from "./check-baselines.ts";
import { evaluationJson, evaluationText } from "./evaluation-text.ts";
import { numberEvaluationJson, numberEvaluationText } from "./number-text.ts";
import { expectedNames } from "./prepare-columns.ts";
import { readCalibration } from "./read-calibration.ts";
import { allowTrainingRows, openLabeledRows, openTestRows } from "./read-labeled-rows.ts";
import { readAnyModel } from "./read-model.ts";
import { setsJson, setsText } from "./sets-text.ts";

export const evaluate: Command = {
  name: "evaluate",
  summary: "score predictions on test rows as more values are masked, against baselines",
  arguments: ["MODEL", "DATA..."],
  options: {
    label: { takes: "COLUMN", required: true, help: "column with the true classes or numbers" },
    missing: {
      list: true,
      takes: "SHARES",
      help: "shares of the values to mask",
      initially: "0.2,0.4,0.6,0.8",
    },
    against: {
      list: true,
      takes: "METHODS",
      help: `baselines: ${[...COMPARED_METHODS, NATIVE].join(", ")} (trees only)`,
      initially: DEFAULT_BASELINES.join(","),
    },
    repeats: { takes: "N", help: "number of random masks", initially: "10" },
    report: { takes: "FILE", writes: true, help: "write a report with charts as one HTML file" },
    json: { help: "print JSON" },
    ...grouped("Evaluation options", {
      train: {
        takes: "DATA",
        help: "rows to train the baselines on",
        initially: "train on a random half of DATA, test on the other",
      },
      "allow-training-rows": allowTrainingRows,
      rows: {
        takes: "N",
        help: "maximum test rows, chosen at random",
        initially: "10000",
      },
      mask: {
        takes: "KIND",
        choices: ["mcar", "mar", "mnar", "patterns"],
        formerly: "mechanism",
        help: "how values are masked: mcar (at random), mar (depending on another column), mnar (depending on the value itself) or patterns (where they are missing in another row)",
        initially: "mcar",
      },
      block: { list: true, takes: "A,B", help: "columns that are masked together" },
      calibration: {
        takes: "FILE",
        help: "evaluate prediction sets too, with a calibration set that conformant calibrate wrote from other rows",
      },
      set: {
        takes: "P",
        requires: ["calibration"],
        help: "coverage of the prediction sets",
        initially: "0.9",
      },
    }),
    ...sourceOptions,
    seed: seedOption,
  },
  example:
    'conformant fit penguins.csv --label species -o half.json -q \\\n  --where "hash(bill_length) % 2 = 0"\nconformant evaluate half.json penguins.csv --label species \\\n  --report report.html',
  run: runEvaluate,
};

async function runEvaluate(parsed: Parsed, { messages, print }: Context): Promise<void> {
  const [modelFile, ...data] = parsed.positionals;
  const label = parsed.text("label") ?? "";
  const against: readonly string[] = readList(parsed, "against") ?? DEFAULT_BASELINES;
  checkBaselines(against);
  const model = readAnyModel(modelFile);
  if (!isRegression(model)) requireNative(model, against);
  const columns = model.schema.columns.map(({ name }) => name);
  const plan = readPlan(parsed, columns);
  const mostRows = readInteger(parsed, "rows", 10_000, 1);
  if (isRegression(model)) rejectForNumbers(parsed, model);
  const promised = isRegression(model) ? undefined : readPromise(parsed, model);
  const report = parsed.text("report");
  if (report !== undefined) createAtomicFile(report).discard();
  const options = {
    ...readSourceOptions(parsed, messages, "format", metadataOf(model).reading),
    expected: expectedNames(model, [label]),
    ...{ modelName: modelFile, label, seed: plan.seed },
  };
  const rowsOf = (source: string | readonly string[], how = options): Promise<Table> =>
    openLabeledRows(source, model, how, messages);
  const allowed = parsed.flag("allow-training-rows");
  const all = await openTestRows(data, model, { ...options, allowed }, messages);
  if (plan.mechanism === "patterns" && !hasMissing(all))
    throw new CliError(
      "usage",
      `--mask patterns requires rows with missing values, and ${quoted(parseAddress(data).name)} has none`,
    );
  const train = parsed.text("train");
  const training =
    train === undefined ? undefined : await rowsOf(train, trainingOptions(data, train, options, messages));
  const how = { label, plan, against, mostRows, sets: promised };
  if (isRegression(model)) {
    const evaluation = evaluateNumbers(model, all, training, how, messages);
    messages.clear();
    messages.note(
      `${counted(evaluation.rows, "row")} scored, ${counted(plan.repeats, "repeat")}; baselines trained on ${counted(evaluation.trainingRows, training ? "row" : "other row")}`,
    );
    print(
      parsed.flag("json")
        ? JSON.stringify(numberEvaluationJson(evaluation), null, 2)
        : numberEvaluationText(evaluation),
    );
    return;
  }
  const { evaluation, sets, rows, trainingRows } = evaluateRows(model, all, training, how, messages);
  messages.clear();
  messages.note(
    `${counted(rows, "row")} scored, ${counted(plan.repeats, "repeat")}; baselines trained on ${counted(trainingRows, training ? "row" : "other row")}`,
  );
  print(
    parsed.flag("json")
      ? JSON.stringify({ ...evaluationJson(evaluation), ...(sets && { sets: setsJson(sets) }) }, null, 2)
      : [evaluationText(evaluation), ...(sets ? [setsText(sets)] : [])].join("\n\n"),
  );
  if (report === undefined) return;
  const { reportPage } = await import("./report/report-page.ts");
  writeAtomically(
    report,
    reportPage({
      evaluation,
      sets,
      plan,
      model: describeModel(model),
      data: parseAddress(data).name,
      label,
      trainingRows,
    }),
  );
  messages.note(`report written to ${report}`);
}

/**
 * How training rows are read: by the same query where it reads the table `data` of a file. A query of a database names its tables itself.
 */
function trainingOptions<Options extends SourceOptions>(
  data: readonly string[],
  train: string,
  options: Options,
  messages: Context["messages"],
): Options {
  if (options.sql === undefined) return options;
  const [isFile, trainIsFile] = [data, train].map((word) => parseAddress(word).engine === "file");
  if (isFile !== trainIsFile)
    throw new CliError(
      "usage",
      `--sql cannot read both ${quoted(parseAddress(data).name)} and ${quoted(parseAddress(train).name)}: expected two files, or two tables of databases`,
    );
  if (trainIsFile) return options;
  messages.warn(
    `--sql is for ${quoted(parseAddress(data).name)}: the training rows are the table of --train`,
  );
  return { ...options, sql: undefined };
}

/** Whether any cell but the label is missing. */
function hasMissing({ columns, rows }: Table): boolean {
  return columns
    .slice(0, -1)
    .some((cells) => Array.from({ length: rows }, (_, r) => r).some((r) => isMissing(cells, r)));
}

/** Throws for what an evaluation of a predicted number does not have. */
function rejectForNumbers(parsed: Parsed, { response }: RegressionModel): void {
  const option = ["report", "calibration"].find((name) => parsed.flag(name));
  if (option === undefined) return;
  const number = quoted(response.outputs[0]);
  throw new CliError("usage", `--${option} is for models of classes; this one predicts the number ${number}`);
}

/** The prediction sets to score, where there are calibration rows. */
function readPromise(
  parsed: Parsed,
  model: Model,
): { readonly calibration: Calibration; readonly coverage: number } | undefined {
  const file = parsed.text("calibration");
  if (file === undefined) return undefined;
  return { calibration: readCalibration(file, model), coverage: readCoverage(parsed) };
}

function readPlan(parsed: Parsed, columns: readonly string[]): EvaluationPlan {
  const block = readList(parsed, "block") ?? [];
  const stranger = block.find((name) => !columns.includes(name));
  if (stranger !== undefined)
    throw new CliError(
      "unknown-column",
      `--block names ${quoted(stranger)}, but the model has the columns ${listed(columns)}`,
    );
  const mechanism = (parsed.text("mask") ?? "mcar") as Mechanism;
  const ignored = ["missing", "block"].find((name) => mechanism === "patterns" && parsed.flag(name));
  if (ignored)
    throw new CliError(
      "usage",
      `--${ignored} cannot be combined with --mask patterns: rows set what is masked`,
    );
  return {
    rates: mechanism === "patterns" ? [1] : readShares(parsed, "missing", [0.2, 0.4, 0.6, 0.8]),
    repeats: readInteger(parsed, "repeats", 10, 1),
    mechanism,
    blocks: block.length > 0 ? [block.map((name) => columns.indexOf(name))] : [],
    seed: readInteger(parsed, "seed", 0, 0),
  };
}
