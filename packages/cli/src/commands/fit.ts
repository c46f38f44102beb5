import { saveModel } from "conformant";
import {
  type ClassifierFile,
  columnsUsed,
  counted,
  duration,
  type FitReport,
  type FitResult,
  fitModel,
  type Host,
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
import type { Command, Context, Parsed } from "../options/command.ts";
import { readFitOptions } from "../options/fit-options.ts";
import { threadsOption } from "../options/read-threads.ts";
import { readSourceOptions, sourceOptions } from "../options/source-options.ts";
import { createAtomicFile, STDOUT, writeAtomically } from "../output/atomic-file.ts";
import { RowFile } from "../output/row-file.ts";
import { WorkThreads } from "../process/work-threads.ts";
import type { Connector } from "../sources/connector.ts";
import { engineTable } from "../sources/engine-table.ts";
import { openSource } from "../sources/open-source.ts";
import { watchSource } from "../sources/watch-source.ts";
import { textTable } from "../terminal/text-table.ts";
import { checkpointFile, fitSettings } from "./fit-checkpoint.ts";

export const fit: Command = {
  name: "fit",
  summary: "make a model from a table: train a classifier or bring one, and learn what gaps mean",
  arguments: ["DATA..."],
  options: {
    label: { takes: "COLUMN", help: "train a classifier on this column" },
    model: {
      takes: "KIND",
      choices: ["logistic", "trees"],
      help: "what to train: a logistic regression, or gradient-boosted trees",
      initially: "logistic",
    },
    classifier: {
      takes: "FILE",
      help: "bring a classifier: JSON, ONNX, PMML, a table of coefficients, XGBoost's or LightGBM's trees; then no labels are needed",
    },
    classes: {
      list: true,
      takes: "A,B",
      help: "names for the classes of trees whose file only counts them, in order",
    },
    categories: {
      list: true,
      takes: "COLUMN=A,B",
      help: "names for the values of a column that the file of trees only counts, in order",
    },
    output: {
      short: "o",
      writes: true,
      takes: "FILE",
      help: "write the model here; without it, to standard output",
    },
    l2: {
      takes: "NUMBER|auto",
      help: "penalty ½·l2·‖w‖² of the training; auto chooses by cross-validation",
      initially: "1",
    },
    "no-cross-validation": {
      help: "do not judge the training on rows held out from it, which takes five more trainings",
    },
    components: {
      takes: "M|auto",
      help: "size of the mixture; 1 is the paper's method, auto chooses by held-out rows with hidden cells",
      initially: "auto",
    },
    numeric: {
      takes: "KIND",
      choices: ["atoms", "gaussian", "auto"],
      help: "what describes numbers: atoms each by itself, gaussian with their correlations, auto what answers better",
      initially: "auto",
    },
    "train-on": {
      takes: "ROWS",
      choices: ["all", "complete"],
      help: "rows with gaps are completed by draws from the mixture (all) or left out (complete)",
      initially: "all",
    },
    gaps: {
      takes: "KIND",
      choices: ["random", "informative", "auto"],
      help: "weights for missing values: random none, informative one per column, auto if held-out rows improve",
      initially: "random",
    },
    pseudocount: { takes: "NUMBER", help: "added to every count", initially: "1" },
    bins: {
      takes: "N",
      help: "atoms of a numeric column at most; of hundreds of columns and several classes 2 and 8 are compared",
      initially: "32",
    },
    columns: { list: true, takes: "A,B", help: "use these columns only" },
    exclude: { list: true, takes: "A,B", help: "leave these columns out" },
    also: {
      list: true,
      takes: "A,B|all",
      help: "columns that the classifier does not use and that help to tell what is missing; all but the used and excluded ones",
    },
    type: { list: true, takes: "COLUMN=KIND", help: "what a column is: numeric, binary or categorical" },
    ...sourceOptions,
    "time-limit": {
      takes: "SECONDS",
      help: "for choosing size and kind of the mixture; what there was no time for is said",
      initially: "60",
    },
    threads: threadsOption("compare candidates and share the steps of a fit"),
    sample: {
      takes: "ROWS",
      help: "rows that are read into memory at most; more stay where they are, and their sums are asked for",
    },
    checkpoint: {
      takes: "FILE",
      help: "where a fit in a database keeps its state; beside the model without it",
    },
    resume: { help: "go on from the checkpoint of a fit that was broken off" },
    seed: { takes: "N", help: "decides all that is random", initially: "0" },
    json: { help: "print the summary as JSON" },
  },
  example: "conformant fit penguins.csv --label species -o penguins.json",
  run: runFit,
};

/** Reads a classifier. The readers of foreign formats take a while to load, and most fits need none. */
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
  if ((label === undefined) === (classifierFile === undefined)) {
    throw new CliError("usage", "fit needs either --label COLUMN or --classifier FILE", {
      hint: "conformant fit --help shows how it is called",
    });
  }
  const options = readFitOptions(parsed);
  const columns = readColumnOptions(parsed);
  const classifier = classifierFile === undefined ? undefined : await readClassifier(classifierFile, columns);
  const expected = [...[label ?? []].flat(), ...namesIn(columns), ...(classifier?.names ?? [])];
  const source = { ...readSourceOptions(parsed, context.messages), expected };
  if (output !== undefined) createAtomicFile(output).discard(); // better now than after the work
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
    const fitted = await fitModel(
      { ...engineTable(watched.connector), watch: watched.watch },
      { label, classifier, columns, missingTexts: source.gaps, training: options },
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

/** The model to its file and the summary to the person, or the model to standard output. */
function present(
  { model, report }: FitResult,
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
  const { heading, columns, moreColumns, facts } = summarizeFit(report);
  return [
    heading,
    "",
    textTable(columns.header, columns.rows, (c) => c === 2),
    ...(moreColumns > 0 ? [`… and ${counted(moreColumns, "more column")}`] : []),
    "",
    ...facts.map(([name, text]) => `${name.padEnd(12)} ${text}`),
  ].join("\n");
}

/** The columns that are left out, by the reason. */
function groupBy(leftOut: FitReport["reading"]["leftOut"]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, why } of leftOut) groups.set(why, [...(groups.get(why) ?? []), name]);
  return groups;
}
