import {
  type DecidingTilt,
  type Imputation,
  impute,
  type Model,
  type Row,
  type Sensitivity,
  shiftMissing,
} from "conformant";
import { useMemo, useState } from "preact/hooks";
import { type Names, useNames } from "../frame/names.ts";
import { percent } from "../frame/numbers.ts";
import { SHIFT } from "../frame/texts.ts";
import { Heading } from "../frame/words.tsx";
import { answerTo } from "../worker/answer-to.ts";
import type { ColumnShape } from "./column-shape.ts";

interface ShiftCardProps {
  readonly model: Model;
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly sensitivity: Sensitivity;
  /** What unknown columns are likely to be, if values are missing at random. */
  readonly likely: Readonly<Record<string, Imputation>>;
}

/** A column, and of a category the value, whose gaps are taken to be unusual. */
type Tilted = Pick<DecidingTilt, "column" | "value">;

/** The strongest assumption that can be tried, and the classes whose answer under it is shown. */
const [STRONGEST, SHOWN] = [3, 3];

/** What if unknown values are systematically lower or higher: what it takes to change the prediction, and a slider to try it. */
export function ShiftCard({ model, shapes, row, sensitivity, likely }: ShiftCardProps) {
  const names = useNames();
  const [chosen, setChosen] = useState<Tilted>();
  const [tilt, setTilt] = useState(0);
  const { tilts } = sensitivity;
  /** The position of the weakest assumption that changes the prediction, of those that leave the mean within the data. */
  const deciding = useMemo(
    () => tilts.findIndex((own) => own.tilt !== null && isWithinData(shapes, model, own, own.tilt, row)),
    [sensitivity, shapes], // model and row are those of the answer
  );
  if (tilts.length === 0) return null;
  const possible = deciding > 0 ? { ...sensitivity, tilts: tilts.slice(deciding) } : sensitivity;
  const tilted = tilts.find((own) => chosen && keyOf(own) === keyOf(chosen)) ?? possible.tilts[0];
  return (
    <div class="card reasons shift">
      <Heading word="What if unknown fields are unusual?" />
      <Deciding {...{ model, row, likely }} sensitivity={possible} isPossible={deciding >= 0} />
      <label>
        {SHIFT.column}{" "}
        <select
          value={keyOf(tilted)}
          onChange={({ currentTarget }) => {
            setChosen(tilts.find((own) => keyOf(own) === currentTarget.value));
            setTilt(0);
          }}
        >
          {tilts.map((own) => (
            <option key={keyOf(own)} value={keyOf(own)}>
              {own.value === undefined
                ? names.column(own.column)
                : SHIFT.value(names.column(own.column), names.value(own.column, own.value))}
            </option>
          ))}
        </select>
      </label>
      <Trial {...{ model, row, likely, tilted, tilt }} onTilt={setTilt} />
    </div>
  );
}

interface DecidingProps extends Omit<ShiftCardProps, "shapes"> {
  /** Whether the first assumption leaves the mean within the data. */
  readonly isPossible: boolean;
}

/** What it takes to change the prediction, in a sentence. */
function Deciding({ model, row, sensitivity, likely, isPossible }: DecidingProps) {
  const names = useNames();
  const [first] = sensitivity.tilts;
  const sentence = useMemo(() => {
    if (first.tilt === null || first.prediction === null) return SHIFT.never;
    if (!isPossible) return SHIFT.beyond;
    const how = howUnusual(names, first, likely, shifted(model, first, first.tilt), row);
    return SHIFT.changes(names.class(first.prediction), names.column(first.column), how);
  }, [sensitivity, names]); // model, row and what is likely are those of the answer
  return <p class="deciding">{sentence}</p>;
}

interface TrialProps extends Pick<ShiftCardProps, "model" | "row" | "likely"> {
  readonly tilted: Tilted;
  readonly tilt: number;
  readonly onTilt: (tilt: number) => void;
}

/** A slider from lower to higher, and the answer under that assumption. */
function Trial({ model, row, likely, tilted, tilt, onTilt }: TrialProps) {
  const names = useNames();
  const { how, ranked, before } = useMemo(() => {
    const other = shifted(model, tilted, tilt);
    return {
      how: tilt === 0 ? SHIFT.asUsual : howUnusual(names, tilted, likely, other, row),
      ranked: answerTo(other, row).ranked.slice(0, SHOWN),
      before: Object.fromEntries(answerTo(model, row).ranked),
    };
  }, [model, row, likely, names, keyOf(tilted), tilt]);
  const [low, high] = tilted.value === undefined ? [SHIFT.lower, SHIFT.higher] : [SHIFT.rarer, SHIFT.oftener];
  return (
    <>
      <input
        type="range"
        aria-label={`${names.column(tilted.column)}: ${low} – ${high}`}
        aria-valuetext={how}
        min={-STRONGEST}
        max={STRONGEST}
        step={0.1}
        value={tilt}
        onInput={({ currentTarget }) => onTilt(Number(currentTarget.value))}
      />
      <p class="ends note" aria-hidden="true">
        <span>{low}</span>
        <span>{high}</span>
      </p>
      <p>
        {how[0].toUpperCase() + how.slice(1)}. {SHIFT.result}:
      </p>
      <ul class="shifted">
        {ranked.map(([name, p]) => (
          <li key={name} data-class={name}>
            {names.class(name)} <data value={String(p)}>{percent(p)}</data>{" "}
            {tilt !== 0 && <span class="note">{SHIFT.instead(percent(before[name]))}</span>}
          </li>
        ))}
      </ul>
      {tilt !== 0 && (
        <button type="button" onClick={() => onTilt(0)}>
          {SHIFT.reset}
        </button>
      )}
    </>
  );
}

/** The model if unknown values of a column are that unusual. */
function shifted(model: Model, { column, value }: Tilted, tilt: number): Model {
  return tilt === 0
    ? model
    : shiftMissing(model, { [column]: value === undefined ? tilt : { [value]: tilt } });
}

/** Whether the mean of an unknown number, if it is that unusual, lies within the range of the data. */
function isWithinData(
  shapes: readonly ColumnShape[],
  model: Model,
  tilted: Tilted,
  tilt: number,
  row: Row,
): boolean {
  const shape = shapes.find(({ name }) => name === tilted.column);
  if (shape?.kind !== "number" || !shape.isOfData) return true;
  const now = impute(shifted(model, tilted, tilt), row)[tilted.column];
  return now?.kind !== "numeric" || (now.mean >= shape.low && now.mean <= shape.high);
}

/** What an unknown value is then, beside what it usually is: its mean, or the share of the tilted value. */
function howUnusual(
  names: Names,
  { column, value }: Tilted,
  likely: ShiftCardProps["likely"],
  other: Model,
  row: Row,
): string {
  const [usual, now] = [likely[column], impute(other, row)[column]];
  if (!usual || !now) return "";
  if (usual.kind === "numeric" && now.kind === "numeric")
    return SHIFT.typical(names.value(column, rounded(now.mean)), names.value(column, rounded(usual.mean)));
  const share = (own: Imputation): number =>
    own.kind === "numeric" ? 0 : (own.probabilities[value ?? Object.keys(own.probabilities)[0]] ?? 0);
  const shown = names.value(
    column,
    value ?? Object.keys("probabilities" in usual ? usual.probabilities : {})[0],
  );
  return SHIFT.likely(shown, percent(share(now)), percent(share(usual)));
}

/** A mean with the digits that tell it from another. */
function rounded(mean: number): number {
  return Number(mean.toPrecision(4));
}

function keyOf({ column, value }: Tilted): string {
  return JSON.stringify([column, value]);
}
