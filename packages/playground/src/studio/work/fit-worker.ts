// Makes a model and finds out what it is worth. It reads the file itself, so that it can be ended at any moment and nothing is lost.

import { saveModel } from "conformant";
import { GAP_TEXTS } from "conformant/texts";
import {
  type FittedTable,
  fitTable,
  memorySource,
  type Reporter,
  USUAL_TRAINING,
  usePortableMath,
} from "conformant-workbench";
import { PATIENCE } from "../study.ts";
import { REMEDIES } from "../texts.ts";
import { columnOptions } from "./column-options.ts";
import { findWorth } from "./find-worth.ts";
import { startJudging } from "./judging/start-judging.ts";
import type { FitAsked, FitProgress, FitTold } from "./messages.ts";
import { readStudyFile } from "./read-study-file.ts";
import { toFailure } from "./to-failure.ts";

usePortableMath();

/** Milliseconds between two words about progress. */
const OFTEN = 60;

addEventListener("message", ({ data }: MessageEvent<FitAsked>) => {
  work(data).catch((thrown: unknown) => tell({ failure: toFailure(thrown) }));
});

async function work({ file, choices }: FitAsked): Promise<void> {
  const started = performance.now();
  const table = await readStudyFile(file, choices);
  const warnings: string[] = [];
  const messages = reporter(warnings);
  const workers = await startJudging(table.rows * table.columns.length);
  const fitted = await fitTable({
    source: memorySource(table, REMEDIES),
    label: choices.label,
    columns: columnOptions(choices),
    options: {
      ...USUAL_TRAINING,
      model: choices.model,
      seed: choices.seed,
      timeLimit: PATIENCE,
      judging: workers?.judging,
    },
    gaps: [...GAP_TEXTS, ...choices.gaps],
    messages,
  });
  workers?.end();
  tell({ model: saveModel(fitted.model), report: reportOf(fitted, warnings, performance.now() - started) });
  tell({ worth: findWorth(fitted, choices, messages) });
}

function reportOf(
  { reading, model, classCounts, training }: FittedTable,
  warnings: readonly string[],
  milliseconds: number,
): Extract<FitTold, { report: unknown }>["report"] {
  const { validation } = training;
  return {
    rows: reading.rows,
    columns: reading.chosen.map(({ column }) => column.name),
    ranges: Object.fromEntries(
      reading.chosen.flatMap(({ column, range }) => (range ? [[column.name, range]] : [])),
    ),
    leftOut: reading.leftOut,
    classes: model.classifier.classes.map((name, k) => ({ name, rows: classCounts[k] })),
    heldOut: validation && { logLoss: validation.logLoss, rows: validation.rows },
    warnings,
    untried: [...new Set(model.certificate.choice?.untried.map(({ components }) => components))],
    seconds: milliseconds / 1000,
  };
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

function tell(told: FitTold): void {
  postMessage(told);
}
