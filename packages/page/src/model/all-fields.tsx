import type { Row, Value } from "conformant";
import { useState } from "preact/hooks";
import { FORM } from "../frame/texts.ts";
import { useGradually } from "../frame/use-gradually.ts";
import type { Outlook } from "../worker/answer.ts";
import type { ColumnShape } from "./column-shape.ts";
import { Field } from "./field.tsx";

interface AllFieldsProps {
  readonly shapes: readonly ColumnShape[];
  readonly row: Row;
  readonly outlook: Outlook | undefined;
  /** The column to ask for next. */
  readonly next: string | undefined;
  readonly onChange: (name: string, value: Value) => void;
}

/** More fields than this are searched by their names, and the answer beside them scrolls by itself. */
export const MANY_FIELDS = 20;
/** Fields that are drawn in one task. */
const AT_ONCE = 4;

/** A field for every column of the model, in groups where the columns have some, each starting as unknown. */
export function AllFields({ shapes, row, outlook, next, onChange }: AllFieldsProps) {
  const [sought, setSought] = useState("");
  const drawn = useGradually(shapes.length, AT_ONCE);
  const groups = groupsOf(shapes.slice(0, drawn), sought);
  return (
    <>
      {shapes.length > MANY_FIELDS && (
        <label class="search">
          {FORM.find}
          <input
            type="text"
            autocomplete="off"
            value={sought}
            onInput={({ currentTarget }) => setSought(currentTarget.value)}
          />
        </label>
      )}
      {groups.length === 0 && <p role="status">{FORM.noneFound}</p>}
      {groups.map(({ group, fields }) => (
        <section key={group} class="group">
          {group !== "" && <h3>{group}</h3>}
          <div class="grid">
            {fields.map(({ shape, i }) => (
              <Field
                key={shape.name}
                id={`field-${i}`}
                shape={shape}
                value={cell(row, shape.name)}
                likely={outlook?.likely[shape.name]}
                next={shape.name === next && cell(row, shape.name) === undefined}
                onChange={onChange}
              />
            ))}
          </div>
        </section>
      ))}
      <p class="note legend">{FORM.legend(shapes.some((shape) => shape.kind === "number" && shape.data))}</p>
    </>
  );
}

interface FieldGroup {
  /** Empty where no field has a group. */
  readonly group: string;
  readonly fields: { readonly shape: ColumnShape; readonly i: number }[];
}

/** The fields whose names have the text that is sought, by group; those of no group come last. */
function groupsOf(shapes: readonly ColumnShape[], sought: string): FieldGroup[] {
  const text = sought.trim().toLowerCase();
  const found = shapes
    .map((shape, i) => ({ shape, i }))
    .filter(({ shape: { name, title } }) => `${name} ${title}`.toLowerCase().includes(text));
  const named = [...new Set(found.flatMap(({ shape: { group } }) => group ?? []))];
  const rest = found.filter(({ shape: { group } }) => group === undefined);
  return [
    ...named.map((group) => ({ group, fields: found.filter(({ shape }) => shape.group === group) })),
    ...(rest.length > 0 ? [{ group: named.length > 0 ? FORM.otherGroup : "", fields: rest }] : []),
  ];
}

/** What is known of a column; a column may be called "constructor". */
function cell(row: Row, name: string): Value {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}
