import type { AnyModel, Questionnaire, Row, Value } from "conformant";
import type { Ref } from "preact";
import { FORM } from "../frame/texts.ts";
import { AllFields } from "./all-fields.tsx";
import type { ColumnShape } from "./column-shape.ts";
import { FollowQuestionnaire } from "./follow-questionnaire.tsx";
import { Interview } from "./interview.tsx";
import type { NextStep } from "./next-step.ts";
import type { Answers } from "./use-answers.ts";

interface RowFormProps {
  readonly model: AnyModel;
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly answers: Answers;
  readonly step: NextStep | undefined;
  /** The questionnaire that came with the page. */
  readonly questionnaire: Questionnaire | undefined;
  readonly way: Way;
  readonly onWay: (way: Way) => void;
  readonly form: Ref<HTMLFormElement>;
  readonly onChange: (name: string, value: Value) => void;
  readonly onClear: () => void;
  readonly onMany: () => void;
  /** Brings back what was made unknown, where something was. */
  readonly onUndo: (() => void) | undefined;
}

/** How the form is filled in. */
export type Way = keyof typeof FORM.waysOf;

/** What is known of a row: all fields, the best question after the other, or a questionnaire. */
export function RowForm(props: RowFormProps) {
  const { model, shapes, row, answers, step, questionnaire, onWay } = props;
  const { form, onChange, onClear, onMany, onUndo } = props;
  const known = Object.keys(row).length;
  const ways = (Object.keys(FORM.waysOf) as Way[]).filter((name) => name !== "tree" || questionnaire);
  // The way that was chosen last may be that of another page of the model.
  const way = ways.includes(props.way) ? props.way : "all";
  return (
    <form
      ref={form}
      class="fields"
      aria-label={FORM.heading}
      tabIndex={-1}
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="fields-head">
        <h2>
          {FORM.heading} <span class="note">{FORM.known(known, shapes.length)}</span>
        </h2>
        <span class="buttons">
          {onUndo && (
            <button type="button" onClick={onUndo}>
              {FORM.undo}
            </button>
          )}
          <button type="button" disabled={known === 0} onClick={onClear}>
            {FORM.clear}
          </button>
          <button type="button" onClick={onMany}>
            {FORM.many}
          </button>
        </span>
      </div>
      <div class="choices ways" role="radiogroup" aria-label={FORM.ways}>
        {ways.map((name) => (
          <label key={name} class="choice">
            <input type="radio" name="way" checked={way === name} onChange={() => onWay(name)} />
            <span>{FORM.waysOf[name]}</span>
          </label>
        ))}
      </div>
      {way === "all" && (
        <AllFields
          shapes={shapes}
          row={row}
          outlook={answers.outlook}
          next={step?.kind === "ask" ? step.best.column : undefined}
          onChange={onChange}
        />
      )}
      {way === "one" && (
        <Interview
          model={model}
          shapes={shapes}
          row={row}
          answers={answers}
          step={step}
          onChange={onChange}
        />
      )}
      {way === "tree" && questionnaire && (
        <FollowQuestionnaire questionnaire={questionnaire} shapes={shapes} onChange={onChange} />
      )}
    </form>
  );
}
