import { type AnyModel, saveModel } from "conformant";
import {
  type ClassifierFile,
  columnsUsed,
  counted,
  duration,
  type FitReport,
  type FitResult,
  fitAnyModel,
  type Host,
  type Task,
  usePortableMath,
} from "conformant-workbench";
import { fitReportJson, summarizeFit } from "conformant-workbench/describe";
import { CliError, listed, quoted } from "../errors.ts";
import {
  type CommandColumns,
  namesIn,
  readColumnOptions,
  requireBeside,
  requireColumn,
  requireNamed,
} from "../options/column-options.ts";
import { type Command, type Context, grouped, type Parsed } from "../options/command.ts";
import { readFitOptions } from "../options/fit-options.ts";
import { threadsOption } from "../options/read-threads.ts";
import { seedOption } from "../options/read-value.ts";
import { readSourceOptions, sourceOptions } from "../options/source-options.ts";
import { createAtomicFile, STDOUT, writeAtomically } from "../output/atomic-file.ts";
import { RowFile } from "../output/row-file.ts";
import { WorkThreads } from "../process/work-threads.ts";
import type { Connector } from "../sources/connector.ts";
import { engineTable } from "../sources/engine-table.ts";
import { findOneHotGroups, renameOneHot } from "../sources/one-hot.ts";
import { openSource } from "../sources/open-source.ts";
import { watchSource } from "../sources/watch-source.ts";
import { textTable } from "../terminal/text-table.ts";
import { checkpointFile, fitSettings } from "./fit-checkpoint.ts";
import { verdictText } from "./verdict-text.ts";

export const fit: Command = {
  name: "fit",
  summary: "train or import a classifier and fit the distribution of its inputs",
  arguments: ["DATA..."],
  options: {
    label: {
      takes: "COLUMN",
      required: "classifier",
      help: "train a model that predicts this column, a class or a number",
    },
    classifier: {
      takes: "FILE",
      help: "import a classifier or regressor instead, no labels needed: JSON, ONNX, PMML, a table of coefficients, XGBoost or LightGBM",
    },
    output: {
      short: "o",
      writes: true,
      takes: "FILE",
      help: "write the model to FILE",
      initially: "standard output",
    },
    columns: { list: true, takes: "A,B", help: "use only these columns" },
    exclude: { list: true, takes: "A,B", help: "ignore these columns" },
    group: {
      takes: "COLUMN",
      requires: ["label"],
      excludes: ["classifier"],
      help: "hold out rows with the same value, as of one patient, together; the column is no input",
    },
    type: {
      list: true,
      takes: "COLUMN=KIND",
      help: "override the detected kind of a column: numeric, binary or categorical",
    },
    json: { requires: ["output"], help: "print the summary as JSON" },
    ...grouped("Model options", {
      task: {
        takes: "TASK",
        choices: ["classification", "regression"],
        requires: ["label"],
        excludes: ["classifier"],
        help: "what to predict: classes, or a number",
        initially: "regression if the label has fractions or more than 20 different numbers",
      },
      model: {
        takes: "KIND",
        choices: ["auto", "logistic", "trees"],
        requires: ["label"],
        excludes: ["classifier"],
        help: "what to train: logistic (for a number, linear regression), trees (gradient-boosted trees) or auto (trees if they predict held-out rows better by more than a standard error)",
        initially: "auto",
      },
      components: {
        takes: "N|auto",
        help: "mixture components; auto chooses on held-out rows with masked values, 1 is the paper's method",
        initially: "auto",
      },
      numeric: {
        takes: "KIND",
        choices: ["atoms", "gaussian", "auto"],
        help: "how numeric columns are modeled: atoms (independent), gaussian (correlated) or auto (whichever predicts better)",
        initially: "auto",
      },
      missing: {
        takes: "KIND",
        choices: ["random", "informative", "auto"],
        requires: ["label"],
        formerly: "gaps",
        help: "whether missingness itself is used as evidence: random (no), informative (yes) or auto (if held-out rows improve)",
        initially: "auto",
      },
      l2: {
        takes: "NUMBER|auto",
        requires: ["label"],
        excludes: ["classifier"],
        help: "L2 penalty of the training, 1/C in scikit-learn; auto chooses by cross-validation (for a number: 1)",
        initially: "auto",
      },
      "train-on": {
        takes: "ROWS",
        choices: ["all", "complete"],
        requires: ["label"],
        excludes: ["classifier"],
        help: "rows to train on: all (missing values imputed by sampling from the mixture) or complete",
        initially: "all",
      },
      bins: { takes: "N", help: "maximum number of atoms of a numeric column", initially: "32" },
      pseudocount: { takes: "NUMBER", help: "number added to every count", initially: "1" },
      also: {
        list: true,
        takes: "A,B|all",
        help: "columns that help to infer missing values and that the classifier does not use; all for all others",
      },
      classes: {
        list: true,
        takes: "A,B",
        requires: ["classifier"],
        help: "class names, in order, for imported trees whose file only numbers them",
      },
      categories: {
        list: true,
        takes: "COLUMN=A,B",
        requires: ["classifier"],
        help: "category names of a column, in order, for imported trees whose file only numbers them",
      },
      "no-cross-validation": {
        requires: ["label"],
        help: "skip the scoring of new rows by cross-validation; the report then has no verdict",
      },
    }),
    ...sourceOptions,
    ...grouped("Advanced options", {
      "time-limit": {
        takes: "SECONDS",
        help: "end the fit after this time with the best model so far; the result then depends on the machine",
        initially: "no limit",
      },
      sample: {
        takes: "ROWS",
        help: "maximum rows read into memory; larger tables are aggregated in the database",
        initially: "by available memory",
      },
      checkpoint: {
        takes: "FILE",
        help: "where a fit in a database saves its state",
        initially: "MODEL.checkpoint",
      },
      resume: { requires: ["output", "checkpoint"], help: "resume an interrupted fit from its checkpoint" },
      threads: threadsOption,
      seed: seedOption,
    }),
  },
  example: "conformant fit penguins.csv --label species -o penguins.json",
  run: runFit,
};

/** Reads a classifier. The readers of foreign formats are loaded only when needed. */
async function readClassifier(
  path: string,
  { columns, classes, categories }: CommandColumns,
): Promise<ClassifierFile> {
  const { openClassifierFile } = await import("./open-classifier-file.ts");
  return openClassifierFile(path, { names: columns, classes, categories });
}

async function runFit(parsed: Parsed, context: Context): Promise<void> {
  usePortableMath();
  const started = performance.now();
  const [label, classifierFile] = [parsed.text("label"), parsed.text("classifier")];
  const output = parsed.text("output") === STDOUT ? undefined : parsed.text("output");
  if (output === undefined && parsed.flag("json"))
    throw new CliError("usage", "--json requires --output FILE, because the model goes to standard output");
  const options = readFitOptions(parsed);
  const columns = readColumnOptions(parsed);
  const reading = readSourceOptions(parsed, context.messages);
  const classifier =
    classifierFile === undefined
      ? undefined
      : renameOneHot(await readClassifier(classifierFile, columns), reading.oneHot ?? []);
  const expected = [...[label ?? []].flat(), ...namesIn(columns), ...(classifier?.names ?? [])];
  const source = { ...reading, expected };
  if (output !== undefined) createAtomicFile(output).discard(); // fail before the work, not after it
  const connector = await openSource(parsed.positionals, source);
  const work = new WorkThreads(options.threads, { portable: true });
  try {
    requireColumns(connector, columns, label, classifier);
    const identity = fitSettings({ name: connector.name, options: source }, columns, options, {
      label,
      classifier: classifier?.bytes,
    });
    const host: Host = {
      reporter: context.messages,
      threads: work.threads,
      createRowStore: (schema) => new RowFile(schema),
      checkpoint:
        options.checkpoint === undefined
          ? undefined
          : checkpointFile(options.checkpoint, options.resume, identity),
    };
    const watched = watchSource(connector);
    const fitted = await fitAnyModel(
      { ...engineTable(watched.connector), watch: watched.watch },
      { label, classifier, columns, missingTexts: source.gaps, training: options, task: readTask(parsed) },
      host,
    );
    present(fitted, output, parsed.flag("json"), context);
  } finally {
    await work.close();
    await connector.close();
  }
  context.messages.note(
    `${label === undefined ? "fitted" : "trained and fitted"} in ${duration(performance.now() - started)}`,
  );
}

function readTask(parsed: Parsed): Task | undefined {
  return parsed.text("task") as Task | undefined;
}

/** Throws for a column that the command line names and the source lacks, or names for two things. */
function requireColumns(
  connector: Connector,
  columns: CommandColumns,
  label: string | undefined,
  classifier: ClassifierFile | undefined,
): void {
  if (label !== undefined) {
    requireColumn(connector, "--label", label);
    requireNamed(connector, columns, label);
  }
  if (!classifier) return;
  const own = classifier.on(connector.columns);
  requireBeside(connector, columns, columnsUsed(connector, classifier.path, own, columns), own.json.label);
}

/** Writes the model to its file and the summary to the terminal, or the model to standard output. */
function present(
  { model, report }: FitResult<AnyModel>,
  output: string | undefined,
  json: boolean,
  { messages, print }: Context,
): void {
  for (const [why, names] of groupBy(report.reading.leftOut)) {
    messages.warn(
      names.length === 1
        ? `column ${quoted(names[0])} is left out: ${why}`
        : `${names.length} columns are left out: ${why} (${listed(names, 4)})`,
    );
  }
  for (const { name, columns } of findOneHotGroups(report.reading.chosen))
    messages.warn(
      `the columns ${listed(columns, 4)} look like one column in one-hot encoding; --one-hot ${name} reads them as one`,
    );
  if (output === undefined) {
    messages.note(reportText(report));
    print(saveModel(model));
    return;
  }
  writeAtomically(output, saveModel(model));
  if (json) print(JSON.stringify(fitReportJson(report), null, 2));
  else if (!messages.quiet) print(`${reportText(report)}\n\nmodel written to ${output}`);
}

/** The report of a fit, laid out for a terminal. */
function reportText(report: FitReport): string {
  const { verdict, heading, columns, moreColumns, facts } = summarizeFit(report);
  return [
    ...(verdict ? [verdictText(verdict), ""] : []),
    heading,
    "",
    textTable(columns.header, columns.rows, (c) => c === 2),
    ...(moreColumns > 0 ? [`… and ${counted(moreColumns, "more column")}`] : []),
    "",
    ...facts.map(([name, text]) => `${name.padEnd(12)} ${text}`),
  ].join("\n");
}

/** The ignored columns, by reason. */
function groupBy(leftOut: FitReport["reading"]["leftOut"]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, why } of leftOut) groups.set(why, [...(groups.get(why) ?? []), name]);
  return groups;
}
