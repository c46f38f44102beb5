import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isImpossible, short } from "../frame/numbers.ts";
import { FORM } from "../frame/texts.ts";
import type { NumberShape } from "./column-shape.ts";
import { Histogram } from "./histogram.tsx";
import { isAmbiguous, readNumber } from "./read-number.ts";

interface NumberFieldProps {
  readonly id: string;
  readonly shape: NumberShape;
  readonly value: number | undefined;
  readonly likely: ArrayLike<number> | undefined;
  /** The mean of what is likely: where the slider waits. */
  readonly expected: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** A number to type or to slide to; empty is unknown. */
export function NumberField({ id, shape, value, likely, expected, onChange }: NumberFieldProps) {
  const [text, setText] = useState(value === undefined ? "" : String(value));
  useLayoutEffect(() => {
    if (readPossible(text, shape) !== value) setText(value === undefined ? "" : String(value));
  }, [value]); // the text follows a value from elsewhere: the slider, a row of a table, a reset
  const box = useRef<HTMLInputElement>(null);
  const enter = (entered: string): void => {
    setText(entered);
    onChange(readPossible(entered, shape));
  };
  const waiting = Math.min(shape.high, Math.max(shape.low, expected ?? (shape.low + shape.high) / 2));
  const complaint = complaintOf(text, value, shape);
  /** An arrow key takes a step, from what is likely where nothing is known. */
  const step = (event: KeyboardEvent): void => {
    const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    const from = value ?? Math.round(waiting / shape.step) * shape.step;
    onChange(Number((from + direction * shape.step).toPrecision(12)));
  };
  return (
    <>
      <div class="number">
        <input
          ref={box}
          id={id}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          placeholder={FORM.unknown}
          value={text}
          aria-invalid={value === undefined && text.trim() !== ""}
          aria-describedby={`${id}-note`}
          onInput={({ currentTarget }) => enter(currentTarget.value)}
          onKeyDown={step}
        />
        {(value !== undefined || text !== "") && (
          <button
            type="button"
            class="forget"
            aria-label={FORM.forget(shape.title)}
            onClick={() => {
              enter("");
              box.current?.focus();
            }}
          >
            ×
          </button>
        )}
      </div>
      <div class="slide">
        <Histogram shape={shape} likely={likely} value={value} />
        <input
          type="range"
          class={value === undefined ? "dim" : ""}
          tabIndex={-1} // the arrow keys do the same in the box beside it
          aria-label={FORM.slider(shape.title)}
          aria-valuetext={value === undefined ? FORM.unknown : String(value)}
          min={firstStep(shape)}
          max={shape.high}
          step={shape.step}
          value={value ?? waiting}
          onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
        />
        <p class="ends note">
          <span>{short(shape.low)}</span>
          <span>{short(shape.high)}</span>
        </p>
      </div>
      <p id={`${id}-note`} class="note warn complaint">
        {complaint}
      </p>
    </>
  );
}

/** Where a slider begins, so that its steps are round numbers: the first multiple of the step within the range. */
function firstStep({ low, step }: NumberShape): number {
  return Number((Math.ceil(Number((low / step).toPrecision(12))) * step).toPrecision(12));
}

/** The number of a text, as far as it is possible in the column. */
function readPossible(text: string, shape: NumberShape): number | undefined {
  const number = readNumber(text);
  return number === undefined || isImpossible(number, shape) ? undefined : number;
}

/** What is wrong with an entry. */
function complaintOf(text: string, value: number | undefined, shape: NumberShape): string | undefined {
  const { minimum, maximum, low, high, isOfData } = shape;
  if (value !== undefined) {
    const range = FORM.range(short(low), short(high));
    return value < low || value > high ? FORM[isOfData ? "ofData" : "fitted"](range) : undefined;
  }
  if (text.trim() === "") return undefined;
  const number = readNumber(text);
  if (number === undefined) return isAmbiguous(text) ? FORM.ambiguous : FORM.notNumber(example(shape));
  const [least, most] = [minimum, maximum].map((end) => (end === undefined ? undefined : short(end)));
  if (least !== undefined && most !== undefined) return FORM.impossible(FORM.range(least, most));
  return FORM.impossible(least === undefined ? FORM.atMost(most ?? "") : FORM.atLeast(least));
}

/** A number from the middle of a column, as people would write it. */
function example({ low, high, step }: NumberShape): string {
  return short(Number((Math.round((low + high) / 2 / step) * step).toPrecision(12)));
}
