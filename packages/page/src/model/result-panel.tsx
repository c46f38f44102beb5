import { type AnyModel, isRegression, type Row } from "conformant";
import { RESULT } from "../frame/texts.ts";
import { Heading } from "../frame/words.tsx";
import type { Answer } from "../worker/answer-to.ts";
import { AmongRows } from "./among-rows.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { CalibrationFile } from "./calibration-file.tsx";
import { ChangeList } from "./change-list.tsx";
import { ClassSet } from "./class-set.tsx";
import type { ColumnShape } from "./column-shape.ts";
import type { NextStep } from "./next-step.ts";
import { ReasonList } from "./reason-list.tsx";
import { ShiftCard } from "./shift-card.tsx";
import type { Answers } from "./use-answers.ts";
import { VerdictNote } from "./verdict-note.tsx";

interface ResultPanelProps {
  readonly model: AnyModel;
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly answer: Answer;
  readonly answers: Answers;
  /** The standard error of a number on new rows, where the model says so. */
  readonly modelError: number | undefined;
  readonly step: NextStep | undefined;
  /** Which entries lie beyond the data, in words. */
  readonly outside: readonly string[];
  /** Unknown columns whose absence the model takes for an observation. */
  readonly counted: readonly string[];
  readonly coverage: number;
  readonly onCoverage: (coverage: number) => void;
  readonly onCalibration: (calibrationText: string) => void;
  readonly onGoTo: (column: string) => void;
}

/** A row less likely than this share of what the model expects is called unlike the data. */
const UNLIKE = 0.01;
/** A share that only so many rows can tell: by fewer, one of them may be as unusual. */
const [RARE, MANY_ROWS] = [0.001, 10_000];

/** The answer to what is in the form, the next step, why, what would change it, and how good the model is. */
export function ResultPanel(props: ResultPanelProps) {
  const { model, shapes, row, answer, answers, modelError, step, outside, counted } = props;
  const { coverage, onCoverage, onCalibration, onGoTo } = props;
  const { certainty, complete, latest } = answers;
  const { reasons, outlook, alternatives } = latest;
  const late = !complete && answers.failure === undefined;
  const nothing = Object.keys(row).length === 0;
  const share = certainty?.surprise.share.value ?? 1;
  return (
    <>
      <section
        id="result"
        class="result"
        aria-label={RESULT.label}
        aria-busy={late}
        data-complete={complete}
        tabIndex={-1}
      >
        <AnswerCard
          {...{ answer, modelError, answers, step, outside, counted, onGoTo }}
          isNothingKnown={nothing}
        >
          {share < UNLIKE && (
            <p class="unlike" role="note">
              <b>{RESULT.unlike}</b>{" "}
              {RESULT.unlikeAdvice(share < RARE && model.rows >= MANY_ROWS ? "1 in 1000" : "1 in 100")}
            </p>
          )}
          {certainty?.set && (
            <ClassSet
              set={certainty.set}
              classes={model.response.outputs.length}
              coverage={coverage}
              onCoverage={onCoverage}
            />
          )}
          <p class="print-case">
            <button type="button" onClick={() => print()}>
              {RESULT.print}
            </button>
          </p>
        </AnswerCard>
        {answers.failure !== undefined && (
          <p class="unlike" role="alert">
            {RESULT.failed(answers.failure)}
          </p>
        )}
        {reasons && !nothing && (
          <div class="card reasons" data-stale={!answers.reasons}>
            <Heading word={answer.kind === "number" ? "Why this number" : "Why"} />
            <ReasonList reasons={reasons} />
            {alternatives?.changes && (
              <div data-stale={!answers.alternatives}>
                <Heading word="What would change the answer" />
                <ChangeList changes={alternatives.changes} />
              </div>
            )}
          </div>
        )}
        {late && <p class="late">{RESULT.late}</p>}
      </section>
      <section class="more" aria-label={RESULT.background}>
        {!nothing && <AmongRows shapes={shapes} row={row} />}
        {complete && !isRegression(model) && outlook && alternatives?.sensitivity && (
          <ShiftCard
            {...{ model, shapes, row }}
            sensitivity={alternatives.sensitivity}
            likely={outlook.likely}
          />
        )}
        <div class="card about-model">
          <VerdictNote model={model} />
          {!certainty?.set && !isRegression(model) && (
            <CalibrationFile model={model} onTake={onCalibration} />
          )}
        </div>
      </section>
    </>
  );
}
