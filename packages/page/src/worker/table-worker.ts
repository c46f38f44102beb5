// Holds the table that the person looks at: reads it, says what its columns are, and hands out rows to show.

import { MISSING_TEXTS } from "conformant/texts";
import {
  cellText,
  columnsUsed,
  isTrees,
  memorySource,
  surveyColumns,
  TableError,
  type TextTable,
  USUAL_TRAINING,
} from "conformant-workbench";
import { REMEDIES } from "../frame/studio-texts.ts";
import { columnOptions } from "./column-options.ts";
import { missingPatterns } from "./missing-patterns.ts";
import { readStudyFile } from "./read-study-file.ts";
import type {
  FitChoices,
  ImportedSummary,
  StudyFile,
  TableChoices,
  TableMessage,
  TableReply,
  TableSummary,
} from "./study-messages.ts";
import { summarizeColumn } from "./summarize-column.ts";
import { toFailure } from "./to-failure.ts";

let table: TextTable | undefined;

addEventListener("message", ({ data }: MessageEvent<TableMessage>) => {
  answer(data).catch((thrown: unknown) => tell({ failure: toFailure(thrown) }));
});

async function answer(asked: TableMessage): Promise<void> {
  if ("open" in asked) {
    table = await readStudyFile(
      asked.open,
      asked.choices,
      (rows) => tell({ reading: rows }),
      (sheets) => tell({ sheets }),
    );
    tell({ summary: await summarise(table, asked.choices) });
  } else if (table && "survey" in asked) tell({ summary: await summarise(table, asked.survey) });
  else if (table && "classifier" in asked)
    tell({ imported: await applyClassifier(table, asked.classifier, asked.choices).catch(toFailure) });
  else if (table && "rows" in asked) {
    const [from, to] = asked.rows;
    const own = table;
    const rows = Array.from({ length: Math.max(0, Math.min(to, own.rows) - from) }, (_, r) => from + r);
    tell({ from, cells: rows.map((row) => own.columns.map((column) => cellText(column, row))) });
  }
}

/** All columns, including excluded ones, which the user can include again. */
async function summarise(whole: TextTable, choices: TableChoices): Promise<TableSummary> {
  const source = memorySource(whole, REMEDIES);
  const columns = columnOptions({ ...choices, exclude: [] });
  const gaps = [...MISSING_TEXTS, ...choices.gaps];
  const rules = { columns, gaps, bins: USUAL_TRAINING.bins };
  const surveys = await surveyColumns(source, rules, { progress: () => undefined });
  const found = new Map(surveys.map((survey) => [survey.name, survey]));
  return {
    rows: whole.rows,
    patterns: missingPatterns(whole.columns, choices.gaps),
    columns: whole.columns.map((column) =>
      summarizeColumn(column, found.get(column.name) ?? { chosen: [] }, choices.gaps),
    ),
  };
}

/** What a classifier that was trained elsewhere is on this table. */
async function applyClassifier(
  whole: TextTable,
  file: StudyFile,
  choices: FitChoices,
): Promise<ImportedSummary> {
  const { openImported } = await import("./open-imported.ts");
  const imported = (await openImported(file, choices.names)).on(whole.columns);
  const { json, notes } = imported;
  if ("output" in json)
    throw new TableError(
      "invalid-classifier",
      `${file.name} predicts a number; the studio takes classifiers`,
    );
  return {
    kind: isTrees(json) ? "trees" : "logistic",
    classes: json.classes,
    columns: columnsUsed(whole, file.name, imported, columnOptions(choices)),
    label: whole.columns.find(({ name }) => name === json.label)?.name,
    notes,
  };
}

function tell(told: TableReply): void {
  postMessage(told);
}
