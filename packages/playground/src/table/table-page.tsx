import { predict, type Row, type Value } from "conformant";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { useAnswers } from "../answers/use-answers.ts";
import { columnShapes } from "../form/column-shape.ts";
import { Field } from "../form/field.tsx";
import { LiveRegion } from "../frame/live-region.tsx";
import type { LoadedPage } from "../frame/load-page.ts";
import { percent } from "../frame/numbers.ts";
import { PhoneBar } from "../frame/phone-bar.tsx";
import { spaced } from "../frame/spaced.ts";
import { ResultPanel } from "../result/result-panel.tsx";
import { TablePanel } from "./table-panel.tsx";

/** A form made from the model's columns, the answer beside it, and a place for many rows. */
export function TablePage({ page: { model, modelText } }: { page: LoadedPage }) {
  const shapes = useMemo(() => columnShapes(model), [model]);
  const [row, setRow] = useState<Row>({});
  const form = useRef<HTMLFormElement>(null);
  const probabilities = useMemo(() => predict(model, row), [model, row]);
  const answers = useAnswers(modelText, row);
  const change = useCallback((name: string, value: Value) => {
    setRow((before) => {
      const { [name]: _, ...rest } = before;
      return value === undefined || value === null ? rest : { ...rest, [name]: value };
    });
  }, []);
  const goTo = (column: string): void => {
    const place = form.current?.querySelector(`[data-column="${CSS.escape(column)}"]`);
    place?.scrollIntoView({ block: "center" });
    place?.querySelector<HTMLElement>("input, select")?.focus();
  };
  const open = (opened: Row): void => {
    setRow(opened);
    form.current?.scrollIntoView();
    form.current?.focus();
  };
  const { reasons } = answers;
  const known = Object.keys(row).length;
  const first = Object.entries(probabilities).reduce((best, one) => (one[1] > best[1] ? one : best));
  const next = reasons?.questions[0]?.column;
  return (
    <>
      <main class="two">
        <form
          ref={form}
          class="fields"
          aria-label="What you know"
          tabIndex={-1}
          onSubmit={(event) => event.preventDefault()}
        >
          <div class="fields-head">
            <h2>
              What you know{" "}
              <span class="note">
                {known} of {shapes.length}
              </span>
            </h2>
            <button type="button" disabled={known === 0} onClick={() => setRow({})}>
              Start over
            </button>
          </div>
          <p class="note legend">
            Grey bars show the training data. Blue lines and percentages show what an unknown field is likely
            to be, given the others.
          </p>
          <div class="grid">
            {shapes.map((shape, i) => (
              <Field
                key={shape.name}
                id={`field-${i}`}
                shape={shape}
                value={cell(row, shape.name)}
                likely={reasons?.likely[shape.name]}
                sufficient={reasons?.explanation.sufficient.includes(shape.name) ?? false}
                next={shape.name === next && cell(row, shape.name) === undefined}
                onChange={change}
              />
            ))}
          </div>
        </form>
        <ResultPanel probabilities={probabilities} answers={answers} onGoTo={goTo} />
      </main>
      <TablePanel model={model} onOpen={open} />
      <PhoneBar
        prediction={first[0]}
        probability={first[1]}
        hint={next === undefined ? undefined : `ask next: ${spaced(next)}`}
      />
      <LiveRegion
        sentence={`Predicted ${first[0]}, ${percent(first[1])}.${next === undefined ? "" : ` Best next question: ${spaced(next)}.`}`}
      />
    </>
  );
}

/** What is known of a column; a column may be called "constructor". */
function cell(row: Row, name: string): Value {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}
