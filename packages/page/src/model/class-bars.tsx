import type { Estimate } from "conformant";
import { useState } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { percent, percentOf } from "../frame/numbers.ts";
import type { RankedClass } from "../frame/rank-classes.ts";
import { RESULT } from "../frame/texts.ts";

type Interval = readonly [low: Estimate, high: Estimate];

interface ClassBarsProps {
  readonly ranked: readonly RankedClass[];
  readonly intervals: Readonly<Record<string, Interval>> | undefined;
}

/** Classes that are shown at first. */
const SHOWN = 12;

/** Classes with their probability and the thin line of where full knowledge could take it, the likeliest first. */
export function ClassBars({ ranked, intervals }: ClassBarsProps) {
  const names = useNames();
  const [all, setAll] = useState(false);
  const shown = all ? ranked : ranked.slice(0, SHOWN);
  return (
    <>
      <ol class="classes">
        {shown.map(([name, p], place) => (
          <li key={name} class={place === 0 ? "first" : ""} data-class={name}>
            <span class="class-name">{names.class(name)}</span>
            <data class="probability" value={String(p)}>
              {percent(p)}
            </data>
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ width: `${100 * p}%` }} />
              {intervals?.[name] && <Whisker interval={intervals[name]} />}
            </span>
            {intervals?.[name] && <Range interval={intervals[name]} />}
          </li>
        ))}
      </ol>
      {intervals && <DrawingError intervals={Object.values(intervals)} />}
      {ranked.length > SHOWN && (
        <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? RESULT.showFew(SHOWN) : RESULT.showAll(ranked.length)}
        </button>
      )}
    </>
  );
}

function Range({ interval: [low, high] }: { interval: Interval }) {
  return (
    <span class="range">
      {RESULT.couldBecome} <data value={String(low.value)}>{percentOf(low)}</data> {RESULT.to}{" "}
      <data value={String(high.value)}>{percentOf(high)}</data>
    </span>
  );
}

/** An error that is seen in whole percents. */
const VISIBLE = 0.005;

/** How exact the ends of the intervals are, where they come from draws. */
function DrawingError({ intervals }: { intervals: readonly Interval[] }) {
  const error = Math.max(0, ...intervals.flat().map(({ lower, upper }) => (upper - lower) / 2));
  return error < VISIBLE ? null : <p class="note range">{RESULT.drawn(String(Math.ceil(100 * error)))}</p>;
}

function Whisker({ interval: [{ value: low }, { value: high }] }: { interval: Interval }) {
  return <span class="whisker" style={{ left: `${100 * low}%`, width: `${100 * (high - low)}%` }} />;
}
