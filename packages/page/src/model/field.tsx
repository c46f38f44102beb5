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
  /** Part of the sufficient explanation. */
  readonly sufficient: boolean;
  /** The best next question. */
  readonly next: boolean;
  readonly onChange: (name: string, value: Value) => void;
}

/** One column of the model: its name, what marks it, and a way to enter it or leave it unknown. */
export const Field = memo(({ id, shape, value, likely, sufficient, next, onChange }: FieldProps) => {
  const { name, title, unit, description } = shape;
  const isButtons = shape.kind === "choice" && shape.choices.length <= 5;
  const labelId = `${id}-label`;
  const marks = [value === undefined ? "unknown" : "known", sufficient && "sufficient", next && "next"];
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
        {sufficient && <em class="chip sufficient">{FORM.sufficient}</em>}
        {next && <em class="chip next">{FORM.next}</em>}
      </div>
      {description !== undefined && <p class="note description">{description}</p>}
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
