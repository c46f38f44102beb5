import type { ComponentChildren } from "preact";
import { type Names, useNames } from "../frame/names.ts";
import { percent, percentOf, points } from "../frame/numbers.ts";
import type { RankedClass } from "../frame/rank-classes.ts";
import { RESULT } from "../frame/texts.ts";
import type { Reasons } from "../worker/answer.ts";
import { ClassBars } from "./class-bars.tsx";
import { IconArray } from "./icon-array.tsx";
import { ENOUGH_PROBABILITY, type NextStep } from "./next-step.ts";
import { reasonSteps } from "./reason-steps.ts";
import type { Answers } from "./use-answers.ts";

interface AnswerCardProps {
  readonly ranked: readonly RankedClass[];
  /** Of a sampled answer. */
  readonly standardError: number | undefined;
  readonly answers: Answers;
  readonly step: NextStep | undefined;
  readonly isNothingKnown: boolean;
  /** Which entries lie beyond the data, in words. */
  readonly outside: readonly string[];
  readonly onGoTo: (column: string) => void;
  readonly children?: ComponentChildren;
}

/** Half the width of a 95% interval, in standard errors. */
const CONFIDENCE = 1.96;
/** An error that is seen in whole percents. */
const VISIBLE = 0.005;

/** One large answer, one sentence why, one next step. */
export function AnswerCard(props: AnswerCardProps) {
  const { ranked, standardError = 0, answers, step, isNothingKnown, outside, onGoTo, children } = props;
  const names = useNames();
  const [[best, p]] = ranked;
  const { latest } = answers;
  const reasons = answers.reasons ?? latest.reasons;
  const range = (answers.certainty ?? latest.certainty)?.range;
  const error = CONFIDENCE * standardError;
  return (
    <div class="card answer-card">
      <h2 class="hidden">{RESULT.answer}</h2>
      {outside.length > 0 && (
        <p class="beyond" role="note">
          <b>{RESULT.outside}</b> {outside.join("; ")}. {RESULT.outsideAdvice}
        </p>
      )}
      <p class={outside.length > 0 ? "answer doubtful" : "answer"}>
        <b>{names.class(best)}</b> <span>{percent(p)}</span>
      </p>
      {isNothingKnown && <p class="note">{RESULT.nothing}</p>}
      {range && (
        <p class="range" data-stale={!answers.certainty}>
          <data value={String(range[0].value)}>{percentOf(range[0])}</data> {RESULT.to}{" "}
          <data value={String(range[1].value)}>{percentOf(range[1])}</data> {RESULT.range}
        </p>
      )}
      {error >= VISIBLE && <p class="note sampled">{RESULT.sampled(String(Math.ceil(100 * error)))}</p>}
      {reasons && !isNothingKnown && (
        <p class="because" data-stale={!answers.reasons}>
          {becauseOf(reasons, names)}
        </p>
      )}
      <Step step={step} answers={answers} outside={outside} onGoTo={onGoTo} />
      <ClassBars ranked={ranked} />
      <IconArray share={p} name={names.class(best)} />
      {children}
    </div>
  );
}

/** A change that is worth a word, and how many are named. */
const [WORTH, NAMED] = [0.005, 2];

/** The reasons in one sentence: the largest steps of the list. */
export function becauseOf(reasons: Reasons, names: Names): string {
  const steps = reasonSteps(reasons, true)
    .map(({ columns: [{ column, value }], from, to }) => ({
      change: to - from,
      text: `${names.column(column)} ${names.value(column, value)} (${points(to - from)} ${RESULT.points})`,
    }))
    .filter(({ change }) => Math.abs(change) >= WORTH)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const [raising, lowering] = [true, false].map((up) =>
    steps
      .filter(({ change }) => change > 0 === up)
      .slice(0, NAMED)
      .map(({ text }) => text)
      .join(" and "),
  );
  if (raising === "" && lowering === "") return RESULT.littleEffect;
  const against = lowering === "" ? "" : RESULT.against(lowering);
  if (raising === "") return `${against.charAt(0).toUpperCase()}${against.slice(1)}.`;
  return `${RESULT.because(raising)}${against === "" ? "" : `; ${against}`}.`;
}

/** Questions that are named after the best. */
const OTHERS = 3;
/** Probabilities below this are rounding. */
const NEVER = 1e-12;

interface StepProps extends Pick<AnswerCardProps, "answers" | "outside" | "onGoTo"> {
  readonly step: NextStep | undefined;
}

function Step({ step, answers: { certainty }, outside, onGoTo }: StepProps) {
  const names = useNames();
  if (!step) return <p class="step" />;
  if (step.kind === "check") return <p class="step">{RESULT.check(outside.length)}</p>;
  if (step.kind === "complete") return <p class="step">{RESULT.complete}</p>;
  if (step.kind !== "ask")
    return (
      <p class="step">
        {RESULT.enough(percent(ENOUGH_PROBABILITY))}{" "}
        {certainty && (
          <data class="same-decision" value={String(certainty.sameDecision.value)}>
            {RESULT.wouldStay(percentOf(certainty.sameDecision))}
          </data>
        )}
      </p>
    );
  const { best, others } = step;
  const { ahead, changesDecision } = best;
  const effect = ahead
    ? RESULT.together(names.column(ahead.column))
    : changesDecision > NEVER
      ? RESULT.changes(percent(changesDecision))
      : RESULT.alone;
  return (
    <p class="step">
      {RESULT.ask}{" "}
      <button type="button" onClick={() => onGoTo(best.column)}>
        {names.column(best.column)}
      </button>{" "}
      <span>
        <data class="changes-decision" value={String(changesDecision)}>
          {effect}
        </data>
        {others.length > 0 && (
          <span class="note">
            {" "}
            {RESULT.after(
              others
                .slice(0, OTHERS)
                .map(({ column }) => names.column(column))
                .join(", "),
            )}
          </span>
        )}
      </span>
    </p>
  );
}
