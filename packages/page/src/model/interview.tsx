import type { AnyModel, Row, Value } from "conformant";
import { useRef, useState } from "preact/hooks";
import { useNames } from "../frame/names.ts";
import { percentOf } from "../frame/numbers.ts";
import { ASKING } from "../frame/texts.ts";
import { AnswerPath } from "./answer-path.tsx";
import type { ColumnShape } from "./column-shape.ts";
import { Field } from "./field.tsx";
import type { NextStep } from "./next-step.ts";
import type { Answers } from "./use-answers.ts";
import { useFocusAfter } from "./use-focus-after.ts";

interface InterviewProps {
  readonly model: AnyModel;
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly answers: Answers;
  readonly step: NextStep | undefined;
  readonly onChange: (name: string, value: Value) => void;
}

/** One question at a time: the best next one, looking ahead, until enough is known. */
export function Interview({ model, shapes, row, answers, step, onChange }: InterviewProps) {
  /** The question that is being answered; without one the next is chosen. */
  const [current, setCurrent] = useState<string>();
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [insists, setInsists] = useState(false);
  const { outlook, certainty } = answers;
  const first = step?.kind === "ask" ? [step.best] : [];
  const best =
    step && [...first, ...(outlook?.questions ?? [])].find(({ column }) => !skipped.includes(column));
  const enough = !insists && step?.kind === "enough";
  const asked = current ?? (enough ? undefined : best?.column);
  const shape = shapes.find(({ name }) => name === asked);
  const answered = shapes.filter(({ name }) => Object.hasOwn(row, name) && name !== asked);
  const place = useRef<HTMLDivElement>(null);
  const focusNext = useFocusAfter(place, asked);
  const goOn = (): void => {
    focusNext();
    setCurrent(undefined);
  };
  return (
    <div class="interview" ref={place}>
      {shape ? (
        <>
          <h3 aria-live="polite">{ASKING.question(answered.length + skipped.length + 1)}</h3>
          <Field
            key={shape.name}
            id="question"
            shape={shape}
            value={Object.hasOwn(row, shape.name) ? row[shape.name] : undefined}
            likely={outlook?.likely[shape.name]}
            next={false}
            onChange={(name, value) => {
              setCurrent(name); // it stays while it is being answered
              onChange(name, value);
            }}
          />
          {best?.ahead && best.column === asked && <Ahead column={best.ahead.column} />}
          <p class="buttons">
            <button type="button" class="primary" disabled={!Object.hasOwn(row, shape.name)} onClick={goOn}>
              {ASKING.next}
            </button>
            <button
              type="button"
              onClick={() => {
                setSkipped([...skipped, shape.name]);
                onChange(shape.name, undefined);
                goOn();
              }}
            >
              {ASKING.skip}
            </button>
          </p>
        </>
      ) : !step ? (
        <p role="status">{ASKING.thinking}</p>
      ) : enough && certainty ? (
        <>
          <p role="status">
            <b>{ASKING.enough}</b>{" "}
            {certainty.sameDecision ? ASKING.wouldStay(percentOf(certainty.sameDecision)) : ASKING.littleLeft}
          </p>
          <button type="button" onClick={() => setInsists(true)}>
            {ASKING.goOn}
          </button>
        </>
      ) : (
        <p role="status">{ASKING.none}</p>
      )}
      {Object.keys(row).length > 0 && <AnswerPath model={model} row={row} />}
      <Answered shapes={answered} row={row} onOpen={setCurrent} />
    </div>
  );
}

function Ahead({ column }: { column: string }) {
  return <p class="note">{ASKING.ahead(useNames().column(column))}</p>;
}

interface AnsweredProps {
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly onOpen: (column: string) => void;
}

/** What is known already; a click opens it again. */
function Answered({ shapes, row, onOpen }: AnsweredProps) {
  const names = useNames();
  if (shapes.length === 0) return null;
  return (
    <>
      <h3>{ASKING.answered}</h3>
      <ul class="answered">
        {shapes.map(({ name, title }) => (
          <li key={name}>
            <button type="button" onClick={() => onOpen(name)}>
              <span class="hidden">{ASKING.change(title)}, </span>
              {title} <b>{names.value(name, row[name])}</b>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
