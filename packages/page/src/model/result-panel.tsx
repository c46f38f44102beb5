import type { Model, Row } from "conformant";
import { useNames } from "../frame/names.ts";
import { percentOf } from "../frame/numbers.ts";
import type { RankedClass } from "../frame/rank-classes.ts";
import { RESULT } from "../frame/texts.ts";
import { Heading } from "../frame/words.tsx";
import { CalibrationFile } from "./calibration-file.tsx";
import { ClassBars } from "./class-bars.tsx";
import { ClassSet } from "./class-set.tsx";
import { ContributionBars } from "./contribution-bars.tsx";
import { explainWithNames } from "./named-explanation.ts";
import { NextQuestion } from "./next-question.tsx";
import { ShiftCard } from "./shift-card.tsx";
import type { Answers } from "./use-answers.ts";

interface ResultPanelProps {
  readonly model: Model;
  readonly row: Row;
  readonly ranked: readonly RankedClass[];
  readonly answers: Answers;
  /** Which entries lie beyond the data, in words. */
  readonly outside: readonly string[];
  readonly coverage: number;
  readonly onCoverage: (coverage: number) => void;
  readonly onCalibration: (calibrationText: string) => void;
  readonly onGoTo: (column: string) => void;
}

/** A row less likely than this share of what the model expects is called unlike the data. */
const UNLIKE = 0.01;
/** A share that only so many rows can tell: by fewer, one of them may be as unusual. */
const [RARE, MANY_ROWS] = [0.001, 10_000];

/** The answer to what is in the form: prediction, what can be ruled out, how sure, what to ask next, why, and what if. */
export function ResultPanel(props: ResultPanelProps) {
  const { model, row, ranked, answers, outside, coverage, onCoverage, onCalibration, onGoTo } = props;
  const names = useNames();
  const { reasons, certainty, complete } = answers;
  const late = reasons && !complete && answers.failure === undefined;
  const nothing = Object.keys(row).length === 0;
  return (
    <section
      id="result"
      class="result"
      aria-label={RESULT.label}
      aria-busy={late}
      data-complete={complete}
      tabIndex={-1}
    >
      <div class="card">
        <Heading word="Expected prediction" />
        {nothing && <p class="note">{RESULT.nothing}</p>}
        <ClassBars ranked={ranked} intervals={certainty?.intervals} />
        {outside.length > 0 && (
          <p class="beyond" role="note">
            <b>{RESULT.beyond}</b> {outside.join("; ")}. {RESULT.beyondAdvice}
          </p>
        )}
        {certainty && <Outlook answers={answers} rows={model.rows} />}
        {certainty?.set ? (
          <ClassSet
            set={certainty.set}
            classes={model.response.outputs.length}
            coverage={coverage}
            onCoverage={onCoverage}
          />
        ) : (
          <CalibrationFile model={model} onTake={onCalibration} />
        )}
      </div>
      {answers.failure !== undefined && (
        <p class="unlike" role="alert">
          {RESULT.failed(answers.failure)}
        </p>
      )}
      {reasons && reasons.questions.length > 0 && (
        <NextQuestion questions={reasons.questions} onGoTo={onGoTo} />
      )}
      {reasons && !nothing && reasons.explanation.contributions.length > 0 && (
        <div class="card reasons">
          <Heading word="Why" />
          <ContributionBars shares={reasons.shares} sufficient={reasons.explanation.sufficient} />
          <Heading word="Sufficient explanation" />
          <p class="words">{explainWithNames(reasons.explanation, names)}</p>
        </div>
      )}
      {reasons && certainty?.sensitivity && complete && (
        <ShiftCard model={model} row={row} sensitivity={certainty.sensitivity} likely={reasons.likely} />
      )}
      {late && <p class="late">{RESULT.late}</p>}
    </section>
  );
}

function Outlook({ answers: { reasons, certainty }, rows }: { answers: Answers; rows: number }) {
  const names = useNames();
  if (!certainty || !reasons) return null;
  const { prediction, missing } = reasons.explanation;
  const { value: share } = certainty.surprise.share;
  return (
    <>
      {missing.length > 0 && (
        <div class="outlook">
          <Heading word="If everything were known" />
          <p>
            {RESULT.wouldBe} <b>{names.class(prediction)}</b> {RESULT.withProbability}{" "}
            <data class="same-decision" value={String(certainty.sameDecision.value)}>
              {percentOf(certainty.sameDecision)}
            </data>
            .
          </p>
        </div>
      )}
      {share < UNLIKE && (
        <p class="unlike" role="note">
          <b>{RESULT.unlike}</b>{" "}
          {RESULT.unlikeAdvice(share < RARE && rows >= MANY_ROWS ? "1 in 1000" : "1 in 100")}
        </p>
      )}
    </>
  );
}
