import type { PredictionSet } from "conformant";
import { useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { SETS } from "../frame/texts.ts";
import { Heading } from "../frame/words.tsx";

/** How often a set may be asked to hold the true class, in percent. */
const COVERAGES = [80, 90, 95, 99] as const;

interface ClassSetProps {
  readonly set: PredictionSet;
  /** All classes of the model. */
  readonly classes: number;
  readonly coverage: number;
  readonly onCoverage: (coverage: number) => void;
}

/** The classes that the row may well have, by cases whose answer is known. */
export function ClassSet({ set, classes, coverage, onCoverage }: ClassSetProps) {
  const names = useNames();
  const rows = set.calibrationRows.toLocaleString("en");
  const all = set.classes.length === classes;
  return (
    <div class="outlook class-set">
      <Heading word="Prediction set" />
      {!set.enough ? (
        <p>{SETS.tooFew(rows, needed(coverage))}</p>
      ) : all ? (
        <p>{SETS.all(percent(coverage), rows)}</p>
      ) : (
        <>
          <p>
            {set.classes.length === 1 ? SETS.is : SETS.oneOf}{" "}
            {set.classes.map((name, place) => (
              <span key={name}>
                {place > 0 && ", "}
                <b data-class={name}>{names.class(name)}</b>
              </span>
            ))}
            .
          </p>
          <p class="note">{SETS.promise(percent(coverage), rows)}</p>
        </>
      )}
      <label class="coverage">
        {SETS.coverage}{" "}
        <select
          value={String(Math.round(100 * coverage))}
          onChange={({ currentTarget }) => onCoverage(Number(currentTarget.value) / 100)}
        >
          {COVERAGES.map((share) => (
            <option key={share} value={String(share)}>
              {SETS.share(share)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Rounding of the quotient: 0.9 / (1 − 0.9) is 9. */
const ROUNDING = 1e-9;

/** Calibration rows without which nothing is ruled out. */
function needed(coverage: number): number {
  return Math.ceil(coverage / (1 - coverage) - ROUNDING);
}
