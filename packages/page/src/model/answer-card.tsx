import type { Estimate } from "conformant";
import type { ComponentChildren } from "preact";
import { type Names, useNames } from "../frame/names.ts";
import { percent, percentOf } from "../frame/numbers.ts";
import { CONFIDENCE, PROBABILITY, type Quantity, useQuantity } from "../frame/quantity.ts";
import { RESULT } from "../frame/texts.ts";
import type { AnyReasons } from "../worker/answer.ts";
import type { Answer } from "../worker/answer-to.ts";
import { ClassBars } from "./class-bars.tsx";
import { DensityCurve } from "./density-curve.tsx";
import { IconArray } from "./icon-array.tsx";
import { ENOUGH_PROBABILITY, type NextStep } from "./next-step.ts";
import { reasonSteps, reasonWay } from "./reason-steps.ts";
import type { Answers } from "./use-answers.ts";

interface AnswerCardProps {
  readonly answer: Answer;
  /** The standard error of a number on new rows, where the model says so. */
  readonly modelError: number | undefined;
  readonly answers: Answers;
  readonly step: NextStep | undefined;
  readonly isNothingKnown: boolean;
  /** Unknown columns whose absence the model takes for an observation. */
  readonly counted: readonly string[];
  /** Which entries lie beyond the data, in words. */
  readonly outside: readonly string[];
  readonly onGoTo: (column: string) => void;
  readonly children?: ComponentChildren;
}

/** One large answer, one sentence why, one next step. */
export function AnswerCard(props: AnswerCardProps) {
  const { answer, modelError, answers, step, isNothingKnown, counted, outside, onGoTo, children } = props;
  const names = useNames();
  const quantity = useQuantity();
  const { latest } = answers;
  const reasons = answers.reasons ?? latest.reasons;
  const { range, curve } = answers.certainty ?? latest.certainty ?? {};
  const error = CONFIDENCE * (answer.standardError ?? 0);
  const isNumber = answer.kind === "number";
  const end = ({ value, ...rest }: Estimate): string =>
    isNumber ? quantity.text(value) : percentOf({ value, ...rest });
  return (
    <div class="card answer-card">
      <h2 class="hidden">{RESULT.answer}</h2>
      {outside.length > 0 && (
        <p class="beyond" role="note">
          <b>{RESULT.outside}</b> {outside.join("; ")}. {RESULT.outsideAdvice}
        </p>
      )}
      <p class={outside.length > 0 ? "answer doubtful" : "answer"}>
        <Large answer={answer} />
      </p>
      {isNothingKnown && (
        <p class="note">
          {counted.length > 0
            ? RESULT.nothingEntered(counted.map(names.column))
            : isNumber
              ? RESULT.average
              : RESULT.nothing}
        </p>
      )}
      {range && (
        <p class="range" data-stale={!answers.certainty}>
          {RESULT.could} <data value={String(range[0].value)}>{end(range[0])}</data> {RESULT.to}{" "}
          <data value={String(range[1].value)}>{end(range[1])}</data>{" "}
          {RESULT.range(counted.map(names.column))}
        </p>
      )}
      {error >= quantity.little && (
        <p class="note sampled">
          {isNumber
            ? RESULT.sampledNumber(quantity.text(error))
            : RESULT.sampled(String(Math.ceil(100 * error)))}
        </p>
      )}
      {reasons && !isNothingKnown && (
        <p class="because" data-stale={!answers.reasons}>
          {becauseOf(reasons, names, quantity)}
        </p>
      )}
      <Step step={step} answers={answers} outside={outside} onGoTo={onGoTo} />
      {answer.kind === "number" ? (
        <>
          {curve && (
            <div data-stale={!answers.certainty}>
              <DensityCurve curve={curve} value={answer.value} range={range} />
            </div>
          )}
          {modelError !== undefined && <p class="note">{RESULT.modelError(quantity.text(modelError))}</p>}
        </>
      ) : (
        <>
          <ClassBars ranked={answer.ranked} />
          <IconArray share={answer.ranked[0][1]} name={names.class(answer.ranked[0][0])} />
        </>
      )}
      {children}
    </div>
  );
}

/** The answer itself, as large as it is shown. */
export function Large({ answer }: { answer: Answer }) {
  const names = useNames();
  const { text } = useQuantity();
  if (answer.kind === "number")
    return (
      <>
        <b>
          <data value={String(answer.value)}>{text(answer.value)}</data>
        </b>{" "}
        <small>{names.outcome}</small>
      </>
    );
  const [[best, p]] = answer.ranked;
  return (
    <>
      <b>{names.class(best)}</b> <span>{percent(p)}</span>
    </>
  );
}

/** Reasons that are named on each side. */
const NAMED = 2;

/** The reasons in one sentence: the largest steps of the list. */
export function becauseOf(reasons: AnyReasons, names: Names, quantity: Quantity = PROBABILITY): string {
  const { change: write, changeUnit, little } = quantity;
  const unit = changeUnit ? ` ${changeUnit[0]}` : "";
  const way = reasonWay(reasons);
  const steps = reasonSteps(way, 0)
    .map(({ columns: [{ column, value }], from, to }) => ({
      change: to - from,
      text: `${names.column(column)} ${names.value(column, value)} (${write(to - from)}${unit})`,
    }))
    .filter(({ change }) => Math.abs(change) >= little)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const [raising, lowering] = [true, false].map((up) =>
    steps
      .filter(({ change }) => change > 0 === up)
      .slice(0, NAMED)
      .map(({ text }) => text)
      .join(" and "),
  );
  const isNumber = way.prediction === undefined;
  if (raising === "" && lowering === "") return isNumber ? RESULT.littleOfNumber : RESULT.littleEffect;
  if (isNumber) {
    const parts = [
      ...(raising === "" ? [] : [RESULT.raisedBy(raising)]),
      ...(lowering === "" ? [] : [RESULT.loweredBy(lowering)]),
    ].join("; ");
    return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`;
  }
  const against = lowering === "" ? "" : RESULT.against(lowering);
  if (raising === "") return `${against.charAt(0).toUpperCase()}${against.slice(1)}.`;
  return `${RESULT.because(raising)}${against === "" ? "" : `; ${against}`}.`;
}

function narrowsInWords(share: number): string {
  if (share > 1 - WORTH) return RESULT.narrowsAll;
  return share >= WORTH ? RESULT.narrows(percent(share)) : RESULT.narrowsLittle;
}

/** Questions that are named after the best. */
const OTHERS = 3;
/** Probabilities below this are rounding, and shares of a range below that not worth a number. */
const [NEVER, WORTH] = [1e-12, 0.01];

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
        {certainty?.sameDecision ? RESULT.enough(percent(ENOUGH_PROBABILITY)) : RESULT.enoughOfNumber}{" "}
        {certainty?.sameDecision && (
          <data class="same-decision" value={String(certainty.sameDecision.value)}>
            {RESULT.wouldStay(percentOf(certainty.sameDecision))}
          </data>
        )}
      </p>
    );
  const { best, others, isCounted } = step;
  const { ahead, changesDecision = 0, narrows } = best;
  const effect = isCounted
    ? RESULT.isCounted
    : narrows !== undefined
      ? narrowsInWords(narrows)
      : ahead
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
        <data class="changes-decision" value={String(narrows ?? changesDecision)}>
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
