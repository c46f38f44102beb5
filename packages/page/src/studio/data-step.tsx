import { useState } from "preact/hooks";
import { FileButton } from "../frame/file-button.tsx";
import { percent } from "../frame/numbers.ts";
import { readPageFile } from "../frame/page-files.ts";
import { DATA, EXAMPLES, FRAME, STEPS } from "../frame/studio-texts.ts";
import type { StudyFile } from "../worker/study-messages.ts";
import type { ColumnSummary } from "../worker/summarize-column.ts";
import { sentencesOf } from "../worker/to-failure.ts";
import { ColumnCard } from "./column-card.tsx";
import { PREVIEWED, Preview } from "./preview.tsx";
import { ReadingSettings } from "./reading-settings.tsx";
import type { Study } from "./study.ts";
import type { OpenTable } from "./use-table.ts";

interface DataStepProps {
  readonly file: StudyFile | undefined;
  readonly table: OpenTable;
  readonly choices: Study["choices"];
  readonly onTake: (file: StudyFile, label?: string) => void;
  readonly onChoose: (part: Partial<Study["choices"]>) => void;
  readonly onNext: () => void;
  /** The file that was open before this one. */
  readonly before: string | undefined;
  readonly onBack: () => void;
  /** Opens an empty study, and keeps this one until it is deleted. */
  readonly onLeave: () => void;
  readonly onForget: () => void;
}

/** A table is opened and looked at. */
export function DataStep(props: DataStepProps) {
  const { file, table } = props;
  if (!file) return <Opening {...props} />;
  const { summary, failure, reading } = table;
  return (
    <>
      <section class="card">
        <div class="head">
          <h2>{file.name}</h2>
          {props.before !== undefined && (
            <button type="button" onClick={props.onBack}>
              {FRAME.back(props.before)}
            </button>
          )}
          <button type="button" onClick={props.onLeave}>
            {FRAME.clear}
          </button>
        </div>
        {reading !== undefined && <p role="status">{DATA.reading(reading)}</p>}
        {failure && (
          <p class="unlike" role="alert">
            {sentencesOf(failure)}
          </p>
        )}
        {summary && (
          <p role="status">{DATA.summary(summary.rows, summary.columns.length, gapShare(summary))}</p>
        )}
        <p class="note">{FRAME.clearHint}</p>
        <ReadingSettings
          choices={props.choices}
          sheets={table.sheets}
          isOpen={failure !== undefined}
          onChoose={props.onChoose}
        />
      </section>
      {summary && <LoadedTable {...props} summary={summary} />}
    </>
  );
}

/** Columns that are drawn at once: more would take longer than anyone should wait for a click. */
const AT_ONCE = 40;

function LoadedTable(props: DataStepProps & { summary: NonNullable<OpenTable["summary"]> }) {
  const { summary, table, choices, onChoose } = props;
  const [most, setMost] = useState(AT_ONCE);
  const isOpen = ({ name, isProblem, perhapsGap }: ColumnSummary): boolean =>
    !choices.exclude.includes(name) && (isProblem || perhapsGap !== undefined);
  const undecided = summary.columns.filter(isOpen);
  const others = summary.columns.filter((column) => !isOpen(column));
  const shown = others.slice(0, most);
  return (
    <>
      <p class="go">
        <button type="button" class="primary" onClick={props.onNext}>
          {FRAME.next(STEPS.question)}
        </button>
      </p>
      {undecided.length > 0 && (
        <section aria-labelledby="undecided">
          <h2 id="undecided">{DATA.undecided(undecided.length)}</h2>
          <p class="meaning">{DATA.undecidedMeaning}</p>
          <ul class="columns">
            {undecided.slice(0, AT_ONCE).map((column) => (
              <ColumnCard
                key={column.name}
                column={column}
                rows={summary.rows}
                choices={choices}
                onChoose={onChoose}
              />
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="columns">
        <h2 id="columns">{DATA.columns}</h2>
        <p class="meaning">{DATA.columnsMeaning}</p>
        <ul class="columns">
          {shown.map((column) => (
            <ColumnCard
              key={column.name}
              column={column}
              rows={summary.rows}
              choices={choices}
              onChoose={onChoose}
            />
          ))}
        </ul>
        {shown.length < others.length && (
          <button type="button" onClick={() => setMost(most + AT_ONCE)}>
            {DATA.moreColumns(shown.length, others.length)}
          </button>
        )}
      </section>
      {summary.patterns.length > 0 && <MissingTogether summary={summary} />}
      <section aria-labelledby="rows">
        <h2 id="rows">{DATA.preview}</h2>
        <p class="meaning">
          {DATA.previewMeaning}{" "}
          {summary.columns.length > PREVIEWED && DATA.previewPart(PREVIEWED, summary.columns.length)}
        </p>
        <Preview summary={summary} shown={table.shown} onAsk={table.askRows} />
      </section>
    </>
  );
}

/** Columns that are named of a pattern. */
const NAMED = 4;

/** Which columns are missing together: each bar is a share of all rows. */
function MissingTogether({ summary: { rows, patterns } }: { summary: NonNullable<OpenTable["summary"]> }) {
  return (
    <section class="missing-together" aria-labelledby="together">
      <h2 id="together">{DATA.together}</h2>
      <p class="meaning">{DATA.togetherMeaning}</p>
      <ul class="category-bars">
        {patterns.map(({ columns, rows: count }) => (
          <li key={columns.join(" ")}>
            <i style={{ width: `${(100 * count) / rows}%` }} aria-hidden="true" />
            <span>
              {columns.slice(0, NAMED).join(", ")}
              {columns.length > NAMED && ` ${DATA.andMore(columns.length - NAMED)}`}:{" "}
              {DATA.togetherRows(count, percent(count / rows))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function gapShare({ rows, columns }: NonNullable<OpenTable["summary"]>): string {
  const gaps = columns.reduce((sum, column) => sum + column.gaps, 0);
  return percent(gaps / Math.max(1, rows * columns.length));
}

/** Ways to open a table. */
function Opening({
  onTake,
  before,
  onBack,
  onForget,
}: Pick<DataStepProps, "onTake" | "before" | "onBack" | "onForget">) {
  const [isAsking, setAsking] = useState(false);
  const [pasted, setPasted] = useState("");
  const [problem, setProblem] = useState<string>();
  const openExample = async ({ file, label }: (typeof EXAMPLES)[number]): Promise<void> => {
    try {
      onTake({ name: file, content: new Blob([await readPageFile(`examples/${file}`)]) }, label);
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <section class="card opening" aria-labelledby="opening">
      {before !== undefined && (
        <p class="buttons">
          <button type="button" onClick={onBack}>
            {FRAME.back(before)}
          </button>
          {isAsking ? (
            <span role="alert">
              {FRAME.askForget(before)}{" "}
              <button type="button" onClick={onForget}>
                {FRAME.forget}
              </button>{" "}
              <button type="button" onClick={() => setAsking(false)}>
                {FRAME.keep}
              </button>
            </span>
          ) : (
            <button type="button" onClick={() => setAsking(true)}>
              {FRAME.forgetAll}
            </button>
          )}
        </p>
      )}
      <h2 id="opening">{DATA.heading}</h2>
      <p class="meaning">{DATA.meaning}</p>
      <p class="drop">
        {DATA.drop}{" "}
        <FileButton
          accept=".csv,.tsv,.txt,.jsonl,.ndjson,.json,.parquet,.xlsx,.xlsm,.gz,text/csv"
          onTake={(file) => onTake({ name: file.name, content: file })}
        >
          {DATA.choose}
        </FileButton>
      </p>
      <h3>{DATA.examples}</h3>
      <ul class="examples">
        {EXAMPLES.map((example) => (
          <li key={example.file}>
            <button type="button" onClick={() => void openExample(example)}>
              {example.title}
            </button>
            <span class="note">{example.about}</span>
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p class="unlike" role="alert">
          {problem}
        </p>
      )}
      <label for="paste">{DATA.paste}</label>
      <textarea
        id="paste"
        rows={4}
        spellcheck={false}
        value={pasted}
        onInput={({ currentTarget }) => setPasted(currentTarget.value)}
      />
      <button
        type="button"
        disabled={pasted.trim() === ""}
        onClick={() => onTake({ name: DATA.pastedName, content: new Blob([pasted]) })}
      >
        {DATA.usePasted}
      </button>
    </section>
  );
}
