import { useState } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { CONFIDENCE, type Quantity, useQuantity } from "../frame/quantity.ts";
import { RESULT } from "../frame/texts.ts";
import type { AnyReasons } from "../worker/answer.ts";
import { isLittleStep, type ReasonStep, reasonSteps, reasonWay } from "./reason-steps.ts";

/** The one list of reasons: from the answer with nothing known to the answer, one step after the other. */
export function ReasonList({ reasons }: { reasons: AnyReasons }) {
  const names = useNames();
  const quantity = useQuantity();
  const [all, setAll] = useState(false);
  const way = reasonWay(reasons);
  const { prediction, sufficient, sufficientAnswer, path } = way;
  const steps = reasonSteps(way, all ? 0 : quantity.little);
  const isLittle = (step: ReasonStep): boolean => isLittleStep(step, quantity.little);
  const axis = axisOf(quantity, way.prior, steps);
  const { text, plain, change, changeUnit } = quantity;
  const widest = Math.max(
    ...[way.answer, way.prior, ...steps.map(({ to }) => to)].map((x) => plain(x).length),
  );
  const error = CONFIDENCE * way.standardError;
  const points = String(Math.ceil(100 * error));
  const hasOpposing = prediction !== undefined && steps.some(({ from, to }) => to < from);
  return (
    <>
      <ol class="reason-list" style={{ "--answer": `${widest + 1}ch` }}>
        <End what={RESULT.withNothing} value={way.prior} axis={axis} text={plain} />
        {steps.map((step) => (
          <li
            key={step.columns[0].column}
            class={step.isSufficient ? "sufficient" : ""}
            {...(!(isLittle(step) && !all) && { "data-column": step.columns[0].column })}
          >
            <span class="what">
              {isLittle(step) && !all ? (
                <button type="button" class="link" onClick={() => setAll(true)}>
                  {RESULT.more(step.columns.length)}
                </button>
              ) : (
                <>
                  {names.column(step.columns[0].column)}{" "}
                  <b>{names.value(step.columns[0].column, step.columns[0].value)}</b>
                  {step.isSufficient && <em class="chip sufficient">{RESULT.mark(sufficient.length)}</em>}
                </>
              )}
            </span>
            <StepBar step={step} axis={axis} />
            <data class="points" value={String(step.to - step.from)}>
              <span class="hidden">
                {prediction === undefined
                  ? RESULT.direction(step.to < step.from)
                  : RESULT.side(step.to < step.from, names.class(prediction))}
              </span>
              {change(step.to - step.from)}
              {changeUnit && (
                <>
                  {" "}
                  <abbr title={changeUnit[1]}>{changeUnit[0]}</abbr>
                </>
              )}
            </data>
            <span class="so-far">
              <span class="hidden">{RESULT.soFar}</span>
              {plain(step.to)}
            </span>
          </li>
        ))}
        <End what={RESULT.withAll} value={way.answer} axis={axis} text={plain} />
      </ol>
      {error >= quantity.little && (
        <p class="note sampled">
          {prediction === undefined ? RESULT.sampledNumbers(text(error)) : RESULT.sampledShares(points)}
        </p>
      )}
      {sufficient.length > 0 && sufficient.length < path.length && (
        <p class="note suffices">
          {prediction === undefined
            ? RESULT.nearlySuffices(sufficient.length, text(sufficientAnswer), text(way.answer))
            : RESULT.suffices(sufficient.length, text(sufficientAnswer), hasOpposing)}
        </p>
      )}
      {all && steps.some(isLittle) && (
        <button type="button" class="link" onClick={() => setAll(false)}>
          {RESULT.less}
        </button>
      )}
    </>
  );
}

/** The position of an answer on the axis of the list, from 0 to 1. */
type Axis = (x: number) => number;

/** From 0 to 1 for probabilities; for numbers over the ends of all steps, and nearly all answers of the model. */
function axisOf(quantity: Quantity, prior: number, steps: readonly ReasonStep[]): Axis {
  const ends = [prior, ...steps.map(({ to }) => to)];
  const [low, high] = [Math.min(quantity.low, ...ends), Math.max(quantity.high, ...ends)];
  return (x) => (x - low) / (high - low);
}

interface EndProps {
  readonly what: string;
  readonly value: number;
  readonly axis: Axis;
  readonly text: Quantity["text"];
}

/** Where the way begins or ends. */
function End({ what, value, axis, text }: EndProps) {
  return (
    <li class="end">
      <span class="what">{what}</span>
      <span class="way" aria-hidden="true">
        <i class="at" style={{ left: `${100 * axis(value)}%` }} />
      </span>
      <span />
      <span class="so-far">{text(value)}</span>
    </li>
  );
}

function StepBar({ step: { from, to }, axis }: { step: ReasonStep; axis: Axis }) {
  const [left, right] = [axis(Math.min(from, to)), axis(Math.max(from, to))];
  return (
    <span class={to < from ? "way against" : "way for"} aria-hidden="true">
      <i style={{ left: `${100 * left}%`, width: `${100 * (right - left)}%` }} />
    </span>
  );
}
