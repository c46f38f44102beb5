import { useEffect } from "preact/hooks";
import { QUESTION } from "../frame/studio-texts.ts";
import type { FitChoices, StudyFile, TableSummary } from "../worker/study-messages.ts";
import type { ColumnSummary } from "../worker/summarize-column.ts";
import { ImportedClassifierField } from "./imported-classifier.tsx";
import type { Study } from "./study.ts";
import type { OpenTable } from "./use-table.ts";

interface QuestionStepProps {
  readonly summary: TableSummary;
  /** The file of the imported classifier, and the classifier applied to the table. */
  readonly imported: StudyFile | undefined;
  readonly found: OpenTable["imported"];
  readonly choices: Study["choices"];
  readonly onImport: (file: StudyFile) => void;
  readonly onChoose: (part: Partial<Study["choices"]>) => void;
  readonly onStart: () => void;
}

/** What the column to predict is often called. */
const USUAL_LABEL = /^(?:label|target|class|y|outcome)$/i;
/** More different values than this are no classes. */
const FEW_CLASSES = 20;

/** What can be fitted; a number is predicted by a linear regression where nothing else is chosen. */
const KINDS = ["auto", "logistic", "trees", "imported"] as const;

/** What is to be predicted, and how. */
export function QuestionStep(props: QuestionStepProps) {
  const { summary, choices, onChoose, onStart } = props;
  const { label, model, seed } = choices;
  const { columns } = summary;
  const isImported = model === "imported";
  const chosen = columns.find(({ name }) => name === label);
  const isNumber = chosen !== undefined && predictsNumber(chosen, choices.task);
  const complaint = chosen && !isImported ? complaintOf(chosen, summary.rows, isNumber) : undefined;
  const { used, leftOut, problems } = useOfColumns(props);
  useEffect(() => {
    const usual = columns.find(({ name }) => USUAL_LABEL.test(name));
    if (label === undefined && usual && !isImported) onChoose({ label: usual.name });
  }, []);
  /** Texts that hardly repeat are no answers. */
  const isLast = (column: ColumnSummary): number =>
    Number(column.classes > FEW_CLASSES && !predictsNumber(column, undefined));
  const answers = [...columns].sort((a, b) => isLast(a) - isLast(b));
  return (
    <form
      class="card question"
      aria-labelledby="question"
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
    >
      <h2 id="question">{QUESTION.heading}</h2>
      <p class="meaning">{isImported ? QUESTION.meaningImported : QUESTION.meaning}</p>
      <label class="line">
        {isImported ? QUESTION.answers : QUESTION.label}
        <select
          value={label ?? ""}
          onChange={({ currentTarget }) => onChoose({ label: currentTarget.value || undefined })}
        >
          <option value="">{isImported ? QUESTION.noAnswers : QUESTION.none}</option>
          {answers.map(({ name, classes }) => (
            <option key={name} value={name}>
              {name} ({QUESTION.classes(classes)})
            </option>
          ))}
        </select>
      </label>
      {chosen && !isImported && complaint === undefined && (
        <p class="note" role="status">
          {isNumber ? QUESTION.predictsNumber(chosen.name) : QUESTION.predictsClass(chosen.classes)}{" "}
          {chosen.gaps > 0 && QUESTION.gapsInLabel(chosen.gaps)}
        </p>
      )}
      {complaint !== undefined && (
        <p class="unlike" role="alert">
          {complaint}
        </p>
      )}
      <fieldset>
        <legend>{QUESTION.how}</legend>
        {KINDS.filter((kind) => !isNumber || kind !== "auto").map((kind) => (
          <label key={kind} class="option">
            <input
              type="radio"
              name="model"
              checked={kind === (isNumber && model === "auto" ? "logistic" : model)}
              onChange={() => onChoose({ model: kind })}
            />
            <span>
              <b>{kind === "logistic" && isNumber ? QUESTION.linear : QUESTION[kind]}</b>{" "}
              <span class="note">{QUESTION[`${kind}About`]}</span>
            </span>
          </label>
        ))}
        {isImported && (
          <ImportedClassifierField
            file={props.imported}
            found={props.found}
            names={choices.names}
            onImport={props.onImport}
            onChoose={onChoose}
          />
        )}
      </fieldset>
      <details class="settings">
        <summary>{QUESTION.more}</summary>
        {!isImported && (
          <label class="line">
            {QUESTION.task}
            <select
              value={choices.task ?? ""}
              onChange={({ currentTarget: { value } }) =>
                onChoose({ task: value === "" ? undefined : (value as FitChoices["task"]) })
              }
            >
              <option value="">{QUESTION.tasks.auto}</option>
              <option value="classification">{QUESTION.tasks.classification}</option>
              <option value="regression">{QUESTION.tasks.regression}</option>
            </select>
          </label>
        )}
        <label class="line">
          {QUESTION.seed}
          <input
            type="text"
            inputMode="numeric"
            value={String(seed)}
            onChange={({ currentTarget }) => onChoose({ seed: readSeed(currentTarget.value) })}
          />
        </label>
      </details>
      {label !== undefined && !isImported && (
        <p>
          {QUESTION.usedColumns(used.length)}: {used.map(({ name }) => name).join(", ")}.
          {leftOut.length > 0 && (
            <span class="note"> {QUESTION.leftOut(leftOut.map(({ name }) => name).join(", "))}.</span>
          )}
        </p>
      )}
      {problems.length > 0 && (
        <div class="unlike" role="note">
          <p>{QUESTION.problems}</p>
          {problems.map(({ name, note }) => (
            <p key={name}>{note}</p>
          ))}
        </div>
      )}
      <p class="go">
        <button
          type="submit"
          class="primary"
          disabled={
            (isImported ? props.imported === undefined : label === undefined || complaint !== undefined) ||
            problems.length > 0 ||
            used.length === 0
          }
        >
          {QUESTION.start}
        </button>
      </p>
    </form>
  );
}

/** Which columns the model will learn from, which not, and which something has to be decided about. */
function useOfColumns({ summary: { columns }, choices, found }: QuestionStepProps) {
  const { label, exclude, model } = choices;
  if (model === "imported") {
    const names = found && "columns" in found ? found.columns : [];
    const used = columns.filter(({ name }) => names.includes(name));
    return { used, leftOut: [], problems: used.filter(({ isProblem }) => isProblem) };
  }
  const others = columns.filter(({ name }) => name !== label && !exclude.includes(name));
  const used = others.filter(({ kind }) => kind !== undefined);
  return {
    used,
    leftOut: columns.filter((column) => column.name !== label && !used.includes(column)),
    problems: others.filter(({ isProblem }) => isProblem),
  };
}

/** What keeps a column from being predicted. */
function complaintOf({ gaps, classes }: ColumnSummary, rows: number, isNumber: boolean): string | undefined {
  if (gaps === rows) return QUESTION.noLabel;
  if (classes < 2) return QUESTION.oneOnly;
  return !isNumber && classes > FEW_CLASSES && classes > (rows - gaps) / 2 ? QUESTION.tooMany : undefined;
}

/** Whether a number is predicted, by the rule of the fit. */
function predictsNumber({ isNumber, classes, isWhole }: ColumnSummary, task: FitChoices["task"]): boolean {
  if (task !== undefined) return task === "regression";
  return isNumber && (classes > FEW_CLASSES || !isWhole);
}

function readSeed(text: string): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}
