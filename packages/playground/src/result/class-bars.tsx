import { useState } from "preact/hooks";
import type { RankedClass } from "../answers/rank-classes.ts";
import { percent } from "../frame/numbers.ts";

interface ClassBarsProps {
  readonly ranked: readonly RankedClass[];
  readonly intervals: Readonly<Record<string, readonly [low: number, high: number]>> | undefined;
}

/** Classes that are shown at first. */
const SHOWN = 12;

/** Classes with their probability and the thin line of where full knowledge could take it, the likeliest first. */
export function ClassBars({ ranked, intervals }: ClassBarsProps) {
  const [all, setAll] = useState(false);
  const shown = all ? ranked : ranked.slice(0, SHOWN);
  return (
    <>
      <ol class="classes">
        {shown.map(([name, p], place) => (
          <li key={name} class={place === 0 ? "first" : ""} data-class={name}>
            <span class="class-name">{name}</span>
            <data class="probability" value={String(p)}>
              {percent(p)}
            </data>
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ width: `${100 * p}%` }} />
              {intervals?.[name] && <Whisker interval={intervals[name]} />}
            </span>
            {intervals?.[name] && (
              <span class="range">
                could become <data value={String(intervals[name][0])}>{percent(intervals[name][0])}</data> to{" "}
                <data value={String(intervals[name][1])}>{percent(intervals[name][1])}</data>
              </span>
            )}
          </li>
        ))}
      </ol>
      {ranked.length > SHOWN && (
        <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show the likeliest ${SHOWN}` : `Show all ${ranked.length}`}
        </button>
      )}
    </>
  );
}

function Whisker({ interval: [low, high] }: { interval: readonly [number, number] }) {
  return <span class="whisker" style={{ left: `${100 * low}%`, width: `${100 * (high - low)}%` }} />;
}
