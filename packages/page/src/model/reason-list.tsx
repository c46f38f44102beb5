import { useState } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { percent, points } from "../frame/numbers.ts";
import { RESULT } from "../frame/texts.ts";
import type { Reasons } from "../worker/answer.ts";
import { isLittle, type ReasonStep, reasonSteps } from "./reason-steps.ts";

/** The one list of reasons: from the probability with nothing known to the answer, one step after the other. */
export function ReasonList({ reasons }: { reasons: Reasons }) {
  const names = useNames();
  const [all, setAll] = useState(false);
  const { explanation, sufficient, sufficientProbability } = reasons;
  const { prediction, probability, prior } = explanation;
  const steps = reasonSteps(reasons, all);
  const hasOpposing = steps.some(({ from, to }) => to < from);
  return (
    <>
      <ol class="reason-list">
        <End what={RESULT.withNothing} probability={prior} />
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
                  {step.isSufficient && <em class="chip sufficient">{RESULT.mark}</em>}
                </>
              )}
            </span>
            <StepBar step={step} />
            <data class="points" value={String(step.to - step.from)}>
              <span class="hidden">{RESULT.side(step.to < step.from, names.class(prediction))}</span>
              {points(step.to - step.from)} <abbr title={RESULT.pointsMeaning}>{RESULT.points}</abbr>
            </data>
            <span class="so-far">
              <span class="hidden">{RESULT.soFar}</span>
              {percent(step.to)}
            </span>
          </li>
        ))}
        <End what={RESULT.withAll} probability={probability} />
      </ol>
      {sufficient.length > 0 && sufficient.length < explanation.path.length && (
        <p class="note suffices">
          {RESULT.suffices(sufficient.length, percent(sufficientProbability), hasOpposing)}
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

/** Where the way begins or ends. */
function End({ what, probability }: { what: string; probability: number }) {
  return (
    <li class="end">
      <span class="what">{what}</span>
      <span class="way" aria-hidden="true">
        <i style={{ left: 0, width: `${100 * probability}%` }} />
      </span>
      <span />
      <span class="so-far">{percent(probability)}</span>
    </li>
  );
}

function StepBar({ step: { from, to } }: { step: ReasonStep }) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  return (
    <span class={to < from ? "way against" : "way for"} aria-hidden="true">
      <i style={{ left: `${100 * left}%`, width: `${100 * (right - left)}%` }} />
    </span>
  );
}
