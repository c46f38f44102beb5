import type { Row, Value } from "conformant";
import type { Ref } from "preact";
import { useState } from "preact/hooks";
import type { Reasons } from "../answers/answer.ts";
import type { ColumnShape } from "../form/column-shape.ts";
import { Field } from "../form/field.tsx";
import { spaced } from "../frame/spaced.ts";

interface RowFormProps {
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly reasons: Reasons | undefined;
  readonly form: Ref<HTMLFormElement>;
  readonly onChange: (name: string, value: Value) => void;
  readonly onClear: () => void;
  /** Brings back what was cleared, where something was. */
  readonly onUndo: (() => void) | undefined;
}

/** So many fields are searched by their names. */
const MANY_FIELDS = 20;

/** A field for every column of the model, each starting as unknown. */
export function RowForm({ shapes, row, reasons, form, onChange, onClear, onUndo }: RowFormProps) {
  const [sought, setSought] = useState("");
  const known = Object.keys(row).length;
  const next = reasons?.questions[0]?.column;
  return (
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
        {onUndo && known === 0 ? (
          <button type="button" onClick={onUndo}>
            Undo
          </button>
        ) : (
          <button type="button" disabled={known === 0} onClick={onClear}>
            Start over
          </button>
        )}
      </div>
      {shapes.length > MANY_FIELDS && (
        <label class="search">
          Find a field
          <input
            type="text"
            autocomplete="off"
            value={sought}
            onInput={({ currentTarget }) => setSought(currentTarget.value)}
          />
        </label>
      )}
      <p class="note legend">
        Grey bars show the training data. Blue lines and percentages show what an unknown field is likely to
        be, given the others.
      </p>
      <div class="grid">
        {fieldsOf(shapes, sought).map(({ shape, i }) => (
          <Field
            key={shape.name}
            id={`field-${i}`}
            shape={shape}
            value={cell(row, shape.name)}
            likely={reasons?.likely[shape.name]}
            sufficient={reasons?.explanation.sufficient.includes(shape.name) ?? false}
            next={shape.name === next && cell(row, shape.name) === undefined}
            onChange={onChange}
          />
        ))}
      </div>
    </form>
  );
}

/** The fields whose names have the text that is sought, with their places. */
function fieldsOf(
  shapes: readonly ColumnShape[],
  sought: string,
): { readonly shape: ColumnShape; readonly i: number }[] {
  const text = sought.trim().toLowerCase();
  const all = shapes.map((shape, i) => ({ shape, i }));
  return all.filter(({ shape: { name } }) => `${name} ${spaced(name)}`.toLowerCase().includes(text));
}

/** What is known of a column; a column may be called "constructor". */
function cell(row: Row, name: string): Value {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}
