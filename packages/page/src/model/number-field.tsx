import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { short } from "../frame/numbers.ts";
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
    if (readNumber(text) !== value) setText(value === undefined ? "" : String(value));
  }, [value]); // the text follows a value from elsewhere: the slider, a row of a table, a reset
  const box = useRef<HTMLInputElement>(null);
  const enter = (entered: string): void => {
    setText(entered);
    onChange(readNumber(entered));
  };
  const waiting = expected ?? (shape.low + shape.high) / 2;
  const wrong = text.trim() !== "" && readNumber(text) === undefined;
  const outside = value !== undefined && (value < shape.low || value > shape.high);
  const range = FORM.range(short(shape.low), short(shape.high));
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
          aria-invalid={wrong}
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
          tabIndex={-1} // the arrow keys do the same in the box above
          aria-label={FORM.slider(shape.title)}
          aria-valuetext={value === undefined ? FORM.unknown : String(value)}
          min={shape.low}
          max={shape.high}
          step={shape.step}
          value={value ?? waiting}
          onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
        />
      </div>
      <p id={`${id}-note`} class={wrong || outside ? "note warn" : "note"}>
        {wrong
          ? isAmbiguous(text)
            ? FORM.ambiguous
            : FORM.notNumber
          : FORM[shape.isOfData ? "ofData" : "usual"][outside ? "beyond" : "within"](range)}
      </p>
    </>
  );
}
