import type { Calibration, Model, Table } from "conformant";
import {
  chooseRows,
  counted,
  createMethods,
  divideRows,
  type EvaluationPlan,
  evaluateAsking,
  evaluateMethods,
  evaluateSets,
  type Mechanism,
  splitLabel,
  withoutLast,
} from "conformant-workbench";
import { describeModel } from "conformant-workbench/describe";
import { CliError, listed, quoted } from "../errors.ts";
import type { Command, Context, Parsed } from "../options/command.ts";
import { readCosts } from "../options/read-costs.ts";
import { readGroups } from "../options/read-groups.ts";
import { readInteger, readList, readShares } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions } from "../options/source-options.ts";
import { createAtomicFile, writeAtomically } from "../output/atomic-file.ts";
import { parseAddress } from "../sources/address.ts";
import type { SourceOptions } from "../sources/source-options.ts";
import { readCoverage } from "./added-options.ts";
import { askingJson, askingText } from "./asking-text.ts";
import { COMPARED_METHODS, checkBaselines, DEFAULT_BASELINES, requireNative } from "./check-baselines.ts";
import { evaluationJson, evaluationText } from "./evaluation-text.ts";
import { expectedNames } from "./prepare-columns.ts";
import { readCalibration } from "./read-calibration.ts";
import { readLabeledRows } from "./read-labeled-rows.ts";
import { readModel } from "./read-model.ts";
import { setsJson, setsText } from "./sets-text.ts";

/** Rows that are asked about: each takes a choice of a question after every answer. */
const ASKED_ROWS = 300;

export const evaluate: Command = {
  name: "evaluate",
  summary: "how predictions hold up as cells go missing, against other ways to deal with gaps",
  arguments: ["MODEL", "DATA..."],
  options: {
    label: { takes: "COLUMN", help: "the column with the true classes" },
    missing: { list: true, takes: "SHARES", help: "shares of cells to hide", initially: "0.2,0.4,0.6,0.8" },
    repeats: { takes: "N", help: "how often cells are hidden anew", initially: "10" },
    against: {
      list: true,
      takes: "METHODS",
      help: `rivals: ${COMPARED_METHODS.join(", ")}`,
      initially: DEFAULT_BASELINES.join(","),
    },
    train: {
      takes: "DATA",
      help: "rows that the rivals learn from; without it a random half of DATA, judged is the other",
    },
    mechanism: {
      takes: "KIND",
      choices: ["mcar", "mar", "mnar"],
      help: "cells hide by chance, by another column, or by their own value",
      initially: "mcar",
    },
    block: { list: true, takes: "A,B", help: "columns that are hidden together" },
    asking: {
      help: "judge orders of questions instead: ours, the weights', the best fixed and a random one, after each question",
    },
    costs: { takes: "FILE", help: "with --asking: what a column costs to learn, as for ask" },
    groups: {
      list: true,
      takes: "G=A+B",
      help: "with --asking: columns that are learned together, as for ask",
    },
    calibration: {
      takes: "FILE",
      help: "labelled rows, as conformant calibrate writes them: judge sets of classes, too; none of DATA may be among them",
    },
    set: {
      takes: "P",
      help: "with --calibration: the probability that sets are to have",
      initially: "0.9",
    },
    rows: {
      takes: "N",
      help: "judge at most so many rows, chosen at random; with --asking 300",
      initially: "10000",
    },
    report: { takes: "FILE", writes: true, help: "write a page with plots: one HTML file" },
    ...sourceOptions,
    seed: { takes: "N", help: "decides all that is random", initially: "0" },
    json: { help: "print the results as JSON" },
  },
  example: "conformant evaluate penguins.json penguins.csv --label species --report report.html",
  run: runEvaluate,
};

async function runEvaluate(parsed: Parsed, { messages, print }: Context): Promise<void> {
  const [modelFile, ...data] = parsed.positionals;
  const label = parsed.text("label");
  if (label === undefined)
    throw new CliError("usage", "evaluate needs --label COLUMN", {
      hint: "conformant evaluate --help shows how it is called",
    });
  refuseIdle(parsed);
  const rivals: readonly string[] = readList(parsed, "against") ?? DEFAULT_BASELINES;
  checkBaselines(rivals);
  const model = readModel(modelFile);
  requireNative(model, rivals);
  const columns = model.schema.columns.map(({ name }) => name);
  const plan = readPlan(parsed, columns);
  const isAsking = parsed.flag("asking");
  const most = readInteger(parsed, "rows", isAsking ? ASKED_ROWS : 10_000, 1);
  const groups = readGroups(parsed, columns);
  const costs = readAskingCosts(parsed, model, Object.keys(groups));
  const promised = readPromise(parsed, model);
  const report = parsed.text("report");
  if (report !== undefined) createAtomicFile(report).discard();
  const options = { ...readSourceOptions(parsed, messages), expected: expectedNames(model, [label]) };
  const rowsOf = (source: string | readonly string[], how: SourceOptions = options): Promise<Table> =>
    readLabeledRows(source, { model, modelFile, label, seed: plan.seed }, how, messages);
  const all = await rowsOf(data);
  const train = parsed.text("train");
  const separate =
    train === undefined ? undefined : await rowsOf(train, trainingOptions(data, train, options, messages));
  const { judged, training } = separate
    ? { judged: chooseRows(all, most, plan.seed), training: separate }
    : divideRows(all, most, plan.seed);
  if (isAsking) {
    const about = { data: parseAddress(data).name, label, costs, groups, seed: plan.seed };
    return judgeAsking(model, judged, training, about, parsed, { messages, print });
  }
  const methods = createMethods(model, rivals, training, label, messages);
  const labelled = splitLabel(judged);
  const evaluation = evaluateMethods(model, methods, labelled, plan, messages);
  const sets = promised && evaluateSets(model, promised, labelled, plan, messages);
  messages.clear();
  messages.note(
    `${counted(judged.rows, "row")} judged, ${counted(plan.repeats, "repeat")}; the rivals learned from ${counted(training.rows, separate ? "row" : "other row")}`,
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
      trainingRows: training.rows,
    }),
  );
  messages.note(`report written to ${report}`);
}

/** How training rows are read: by the same query where it reads the table `data` of a file. A query of a database names its tables itself. */
function trainingOptions(
  data: readonly string[],
  train: string,
  options: SourceOptions,
  messages: Context["messages"],
): SourceOptions {
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

/** Options about cells that are hidden; where questions are judged nothing is. */
const OF_HIDING = ["missing", "repeats", "against", "mechanism", "block"];

/** Throws for options that would have no effect. */
function refuseIdle(parsed: Parsed): void {
  const idle = OF_HIDING.find((name) => parsed.flag(name));
  if (parsed.flag("asking") && idle !== undefined)
    throw new CliError("usage", `--asking takes no --${idle}: cells are asked for, not hidden`);
}

/** Judges orders of questions. */
async function judgeAsking(
  model: Model,
  judged: Table,
  training: Table,
  {
    costs,
    groups,
    seed,
    ...about
  }: {
    data: string;
    label: string;
    costs: Record<string, number> | undefined;
    groups: Record<string, string[]>;
    seed: number;
  },
  parsed: Parsed,
  { messages, print }: Pick<Context, "messages" | "print">,
): Promise<void> {
  const asked = evaluateAsking(
    {
      model,
      judged: withoutLast(judged),
      training: withoutLast(training),
      trainingLabels: training.columns[training.columns.length - 1],
      costs: costs ?? {},
      ...(Object.keys(groups).length > 0 && { groups }),
      seed,
      progress: (share, what) => messages.progress(what, Math.round(100 * share), 100),
    },
    judged.columns[judged.columns.length - 1],
  );
  messages.clear();
  messages.note(`${counted(judged.rows, "row")} asked`);
  const withCosts = costs !== undefined;
  print(parsed.flag("json") ? JSON.stringify(askingJson(asked), null, 2) : askingText(asked, withCosts));
  const report = parsed.text("report");
  if (report === undefined) return;
  const { askingPage } = await import("./report/asking-page.ts");
  writeAtomically(report, askingPage(asked, { ...about, withCosts }));
  messages.note(`report written to ${report}`);
}

/** The sets that are judged, where there are calibration rows. */
function readPromise(
  parsed: Parsed,
  model: Model,
): { readonly calibration: Calibration; readonly coverage: number } | undefined {
  const file = parsed.text("calibration");
  if (file === undefined) {
    if (parsed.flag("set")) throw new CliError("usage", "--set needs --calibration FILE");
    return undefined;
  }
  if (parsed.flag("asking"))
    throw new CliError("usage", "--calibration and --asking cannot both be judged at a time");
  return { calibration: readCalibration(file, model), coverage: readCoverage(parsed) };
}

/** What questions cost; only asking has a price. */
function readAskingCosts(
  parsed: Parsed,
  model: Model,
  groups: readonly string[],
): Record<string, number> | undefined {
  if (groups.length > 0 && !parsed.flag("asking"))
    throw new CliError("usage", "--groups needs --asking; --block hides columns together");
  const file = parsed.text("costs");
  if (file === undefined) return undefined;
  if (!parsed.flag("asking")) throw new CliError("usage", "--costs needs --asking: only questions cost");
  return readCosts(file, model, groups);
}

function readPlan(parsed: Parsed, columns: readonly string[]): EvaluationPlan {
  const block = readList(parsed, "block") ?? [];
  const stranger = block.find((name) => !columns.includes(name));
  if (stranger !== undefined)
    throw new CliError(
      "unknown-column",
      `--block names ${quoted(stranger)}, but the model has only ${listed(columns)}`,
    );
  return {
    rates: readShares(parsed, "missing", [0.2, 0.4, 0.6, 0.8]),
    repeats: readInteger(parsed, "repeats", 10, 1),
    mechanism: (parsed.text("mechanism") ?? "mcar") as Mechanism,
    blocks: block.length > 0 ? [block.map((name) => columns.indexOf(name))] : [],
    seed: readInteger(parsed, "seed", 0, 0),
  };
}
