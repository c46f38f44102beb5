import { useState } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import type { RankedClass } from "../frame/rank-classes.ts";
import { RESULT } from "../frame/texts.ts";

/** Classes that are shown at first. */
const SHOWN = 5;

/** The classes with their probabilities, the likeliest first. */
export function ClassBars({ ranked }: { ranked: readonly RankedClass[] }) {
  const names = useNames();
  const [all, setAll] = useState(false);
  const shown = all ? ranked : ranked.slice(0, SHOWN);
  return (
    <>
      <ol class="classes">
        {shown.map(([name, p], place) => (
          <li key={name} class={place === 0 ? "first" : ""} data-class={name}>
            <span class="class-name">{names.class(name)}</span>
            <span class="track" aria-hidden="true">
              <span class="bar" style={{ width: `${100 * p}%` }} />
            </span>
            <data class="probability" value={String(p)}>
              {percent(p)}
            </data>
          </li>
        ))}
      </ol>
      {ranked.length > SHOWN && (
        <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? RESULT.showFew(SHOWN) : RESULT.showAll(ranked.length)}
        </button>
      )}
    </>
  );
}
