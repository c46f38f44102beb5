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
  NATIVE,
  splitLabel,
  withoutLast,
} from "conformant-workbench";
import { describeModel } from "conformant-workbench/describe";
import { CliError, listed, quoted } from "../errors.ts";
import { type Command, type Context, grouped, type Parsed } from "../options/command.ts";
import { readCosts } from "../options/read-costs.ts";
import { readGroups } from "../options/read-groups.ts";
import { readInteger, readList, readShares, seedOption } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions } from "../options/source-options.ts";
import { createAtomicFile, writeAtomically } from "../output/atomic-file.ts";
import { parseAddress } from "../sources/address.ts";
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
  summary: "score predictions on test rows as more values are masked, against baselines",
  arguments: ["MODEL", "DATA"],
  options: {
    label: { takes: "COLUMN", required: true, help: "column with the true classes" },
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
      rows: {
        takes: "N",
        help: "maximum test rows, chosen at random",
        initially: `10000, ${ASKED_ROWS} with --asking`,
      },
      mechanism: {
        takes: "KIND",
        choices: ["mcar", "mar", "mnar"],
        help: "how values are masked: mcar (at random), mar (depending on another column) or mnar (depending on the value itself)",
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
      asking: {
        excludes: ["missing", "repeats", "against", "mechanism", "block", "calibration"],
        help: "compare orders of questions instead of predictions",
      },
      costs: { takes: "FILE", requires: ["asking"], help: "cost of each column, as for conformant ask" },
      groups: {
        list: true,
        takes: "G=A+B",
        requires: ["asking"],
        help: "columns asked for together, as for conformant ask",
      },
    }),
    ...sourceOptions,
    seed: seedOption,
  },
  example: "conformant evaluate penguins.json penguins.csv --label species \\\n  --report report.html",
  run: runEvaluate,
};

async function runEvaluate(parsed: Parsed, { messages, print }: Context): Promise<void> {
  const [modelFile, data] = parsed.positionals;
  const label = parsed.text("label") ?? "";
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
  const rowsOf = (source: string, how = options): Promise<Table> =>
    readLabeledRows(source, { model, modelFile, label, seed: plan.seed }, how, messages);
  const all = await rowsOf(data);
  const train = parsed.text("train");
  const separate = train === undefined ? undefined : await rowsOf(train, { ...options, sql: undefined });
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
  if (file === undefined) return undefined;
  return { calibration: readCalibration(file, model), coverage: readCoverage(parsed) };
}

/** The cost of each question. */
function readAskingCosts(
  parsed: Parsed,
  model: Model,
  groups: readonly string[],
): Record<string, number> | undefined {
  const file = parsed.text("costs");
  return file === undefined ? undefined : readCosts(file, model, groups);
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
