import type { Shapley } from "conformant";
import { useNames } from "../frame/names.ts";
import { percent, points } from "../frame/numbers.ts";
import { RESULT } from "../frame/texts.ts";

/** Steps that are shown one by one. */
const SHOWN = 12;

interface ContributionBarsProps {
  readonly shares: Shapley;
  /** Columns of the sufficient explanation. */
  readonly sufficient: readonly string[];
}

/** A step of the way: where the probability was before it and is after it. */
interface WayStep {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** The way from the probability with nothing known to the answer, a step per known column: each begins where the one before ended. */
export function ContributionBars({ shares, sufficient }: ContributionBarsProps) {
  const names = useNames();
  const { baseline, total, contributions } = shares;
  let at = baseline;
  const steps = contributions.map(({ column, value, contribution }) => {
    const from = at;
    at += contribution;
    return { key: column, column, value, contribution, from, to: at };
  });
  const shown = steps.slice(0, SHOWN);
  const rest = steps.slice(SHOWN);
  return (
    <ul class="contributions">
      <End what={RESULT.withNothing} probability={baseline} />
      {shown.map((step) => (
        <li
          key={step.key}
          class={sufficient.includes(step.column) ? "sufficient" : ""}
          data-column={step.column}
        >
          <span class="what">
            {names.column(step.column)} <b>{names.value(step.column, step.value)}</b>
          </span>
          <StepBar step={step} />
          <data class="points" value={String(step.contribution)}>
            <span class="hidden">{RESULT.side(step.contribution < 0, names.class(shares.class))}</span>
            <Points change={step.contribution} />
          </data>
        </li>
      ))}
      {rest.length > 0 && (
        <li>
          <span class="what">{RESULT.others(rest.length)}</span>
          <StepBar step={{ key: "rest", from: rest[0].from, to: total }} />
          <span class="points">
            <Points change={total - rest[0].from} />
          </span>
        </li>
      )}
      <End what={RESULT.withAll} probability={total} />
    </ul>
  );
}

function Points({ change }: { change: number }) {
  return (
    <>
      {points(change)} <abbr title={RESULT.pointsMeaning}>{RESULT.points}</abbr>
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
      <span class="points">{percent(probability)}</span>
    </li>
  );
}

function StepBar({ step: { from, to } }: { step: WayStep }) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  return (
    <span class={to < from ? "way against" : "way for"} aria-hidden="true">
      <i style={{ left: `${100 * left}%`, width: `${100 * (right - left)}%` }} />
    </span>
  );
}
