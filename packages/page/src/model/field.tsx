import type { Imputation, Value } from "conformant";
import { memo } from "../frame/memo.ts";
import { FORM } from "../frame/texts.ts";
import { ChoiceField } from "./choice-field.tsx";
import type { ColumnShape } from "./column-shape.ts";
import { likelyShares } from "./likely-shares.ts";
import { NumberField } from "./number-field.tsx";

export interface FieldProps {
  readonly id: string;
  readonly shape: ColumnShape;
  readonly value: Value;
  /** What it is likely to be while it is unknown. */
  readonly likely: Imputation | undefined;
  /** The best next question. */
  readonly next: boolean;
  readonly onChange: (name: string, value: Value) => void;
}

/** One column of the model: its name, what marks it, and a way to enter it or leave it unknown. */
export const Field = memo(({ id, shape, value, likely, next, onChange }: FieldProps) => {
  const { name, title, unit, description } = shape;
  const isButtons = shape.kind === "choice" && shape.choices.length <= 5;
  const labelId = `${id}-label`;
  const marks = [`of-${shape.kind}`, value === undefined ? "unknown" : "known", next && "next"];
  return (
    <div class={`field ${marks.filter(Boolean).join(" ")}`} data-column={name}>
      <div class="label">
        {isButtons ? (
          <span id={labelId}>{title}</span>
        ) : (
          <label id={labelId} for={id}>
            {title}
            {unit !== undefined && <span class="unit"> in {unit}</span>}
          </label>
        )}
        {next && <em class="chip next">{FORM.next}</em>}
        {description !== undefined && <p class="note description">{description}</p>}
      </div>
      {shape.kind === "number" ? (
        <NumberField
          id={id}
          shape={shape}
          value={typeof value === "number" ? value : undefined}
          likely={likely && likelyShares(shape.ends, likely)}
          expected={likely?.kind === "numeric" ? likely.mean : undefined}
          onChange={(number) => onChange(name, number)}
        />
      ) : (
        <ChoiceField
          id={id}
          labelId={labelId}
          shape={shape}
          value={value === undefined || value === null ? undefined : String(value)}
          likely={likely?.kind === "discrete" ? likely.probabilities : undefined}
          onChange={(choice) => onChange(name, choice)}
        />
      )}
    </div>
  );
});
