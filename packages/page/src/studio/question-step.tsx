import { useEffect } from "preact/hooks";
import { QUESTION } from "../frame/studio-texts.ts";
import type { StudyFile, TableSummary } from "../worker/study-messages.ts";
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
/** More different values than this are shown last: they are hardly an answer. */
const FEW_CLASSES = 20;

/** What is to be predicted, and how. */
export function QuestionStep(props: QuestionStepProps) {
  const { summary, choices, onChoose, onStart } = props;
  const { label, model, seed } = choices;
  const { columns } = summary;
  const isImported = model === "imported";
  const chosen = columns.find(({ name }) => name === label);
  const complaint = chosen && !isImported ? complaintOf(chosen, summary.rows) : undefined;
  const { used, leftOut, problems } = useOfColumns(props);
  useEffect(() => {
    const usual = columns.find(({ name }) => USUAL_LABEL.test(name));
    if (label === undefined && usual && !isImported) onChoose({ label: usual.name });
  }, []);
  const answers = [...columns].sort(
    (a, b) => Number(a.classes > FEW_CLASSES) - Number(b.classes > FEW_CLASSES),
  );
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
      {complaint !== undefined && (
        <p class="unlike" role="alert">
          {complaint}
        </p>
      )}
      <fieldset>
        <legend>{QUESTION.how}</legend>
        {(["auto", "logistic", "trees", "imported"] as const).map((kind) => (
          <label key={kind} class="option">
            <input
              type="radio"
              name="model"
              checked={model === kind}
              onChange={() => onChoose({ model: kind })}
            />
            <span>
              <b>{QUESTION[kind]}</b> <span class="note">{QUESTION[`${kind}About`]}</span>
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
function complaintOf({ gaps, classes }: ColumnSummary, rows: number): string | undefined {
  if (gaps > 0) return QUESTION.gapsInLabel(gaps);
  if (classes < 2) return QUESTION.oneOnly;
  return classes > 20 && classes > rows / 2 ? QUESTION.tooMany : undefined;
}

function readSeed(text: string): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}
