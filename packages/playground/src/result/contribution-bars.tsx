import type { Explanation } from "conformant";
import { points, short } from "../frame/numbers.ts";
import { spaced } from "../frame/spaced.ts";

/** Contributions that are shown one by one. */
const SHOWN = 12;

/** What each known column does to the prediction: bars to the right speak for it, bars to the left against it. */
export function ContributionBars({ explanation }: { explanation: Explanation }) {
  const { contributions, sufficient, prediction } = explanation;
  const most = Math.max(1e-9, ...contributions.map(({ logOdds }) => Math.abs(logOdds)));
  const shown = contributions.slice(0, SHOWN);
  const rest = contributions.length - shown.length;
  return (
    <>
      <ul class="contributions">
        {shown.map(({ column, value, logOdds, probability }) => (
          <li key={column} class={sufficient.includes(column) ? "sufficient" : ""} data-column={column}>
            <span class="what">
              {spaced(column)} <b>{typeof value === "number" ? short(value) : String(value)}</b>
            </span>
            <span class={logOdds < 0 ? "signed against" : "signed for"} aria-hidden="true">
              <i style={{ width: `${(50 * Math.abs(logOdds)) / most}%` }} />
            </span>
            <data class="points" value={String(logOdds)}>
              <span class="hidden">
                {logOdds < 0 ? "against" : "for"} {prediction},{" "}
              </span>
              {points(probability)} <abbr title="percentage points">pts</abbr>
            </data>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="note">and {rest} others with smaller effects</p>}
    </>
  );
}
