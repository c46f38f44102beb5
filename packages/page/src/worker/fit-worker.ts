// Fits a model and evaluates it. The worker reads the file itself, so it can be terminated at any time.

import { type AnyModel, isRegression, saveModel, type Table } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import {
  type ClassifierFile,
  type FitResult,
  fitAnyModel,
  memorySource,
  type Reporter,
  USUAL_TRAINING,
  usePortableMath,
} from "conformant-workbench";
import { REMEDIES } from "../frame/studio-texts.ts";
import { columnOptions } from "./column-options.ts";
import { evaluateModel } from "./evaluate-model.ts";
import { readStudyFile } from "./read-study-file.ts";
import { startThreads } from "./start-threads.ts";
import type {
  FitChoices,
  FitMessage,
  FitProgress,
  FitReply,
  FitReport,
  StudyFile,
} from "./study-messages.ts";
import { toFailure } from "./to-failure.ts";

usePortableMath();

/** Milliseconds between two words about progress. */
const OFTEN = 60;

addEventListener("message", ({ data }: MessageEvent<FitMessage>) => {
  work(data).catch((thrown: unknown) => tell({ failure: toFailure(thrown) }));
});

async function work({ file, choices, imported }: FitMessage): Promise<void> {
  const started = performance.now();
  const table = await readStudyFile(file, choices);
  const warnings: string[] = [];
  const messages = reporter(warnings);
  const workers = await startThreads(table.rows * table.columns.length);
  const training = {
    ...USUAL_TRAINING,
    model: choices.model === "imported" ? "logistic" : choices.model,
    seed: choices.seed,
    // The labels beside an imported classifier are for the evaluation.
    ...(imported && { gaps: "random" as const }),
  } as const;
  const fitted = await fitAnyModel(
    memorySource(table, REMEDIES),
    {
      label: choices.label,
      classifier: imported && (await open(imported, choices)),
      columns: columnOptions(choices),
      missingTexts: [...MISSING_TEXTS, ...choices.gaps],
      training,
      task: choices.task,
    },
    { reporter: messages, threads: workers?.threads },
  );
  workers?.end();
  tell({ model: saveModel(fitted.model), report: reportOf(fitted, warnings, performance.now() - started) });
  tell({ results: evaluateModel(fitted, choices, messages) });
}

/** Opens a classifier; what reads one is loaded where there is one. */
async function open(imported: StudyFile, { names }: FitChoices): Promise<ClassifierFile> {
  const { openImported } = await import("./open-imported.ts");
  return openImported(imported, names);
}

function reportOf(
  { model, labeled, report: { reading, verdict, range } }: FitResult<AnyModel>,
  warnings: readonly string[],
  milliseconds: number,
): FitReport {
  const {
    response: { outputs: classes },
  } = model;
  return {
    rows: reading.rows,
    columns: reading.chosen.map(({ column }) => column.name),
    ranges: Object.fromEntries(
      reading.chosen.flatMap(({ column, range }) => (range ? [[column.name, range]] : [])),
    ),
    leftOut: reading.leftOut,
    ...(range && { number: { name: classes[0], range: [range.least, range.most] as const } }),
    classes: isRegression(model)
      ? []
      : labeled
        ? countClasses(labeled, classes)
        : classes.map((name) => ({ name })),
    verdict,
    warnings,
    untried: [...new Set(model.certificate.choice?.untried.map(({ components }) => components))],
    seconds: milliseconds / 1000,
  };
}

/** How many rows each class has. */
function countClasses({ columns }: Table, classes: readonly string[]): FitReport["classes"] {
  const counts = classes.map(() => 0);
  for (const k of columns[columns.length - 1]) counts[k]++;
  return classes.map((name, k) => ({ name, rows: counts[k] }));
}

/** Passes on what goes on, but not more often than anyone can see. */
function reporter(warnings: string[]): Reporter {
  let last = Number.NEGATIVE_INFINITY;
  let said = "";
  return {
    warn: (text) => warnings.push(text),
    progress: (what, done, total) => {
      const now = performance.now();
      if (what === said && now - last < OFTEN) return;
      [last, said] = [now, what];
      const share = done === undefined || total === undefined ? undefined : done / total;
      tell({ progress: { what, share } satisfies FitProgress });
    },
    tried: (sizes) =>
      tell({ tried: sizes.map(({ components, logLikelihood }) => ({ components, logLikelihood })) }),
  };
}

function tell(told: FitReply): void {
  postMessage(told);
}
