import { percent } from "../frame/numbers.ts";
import { FORM } from "../frame/texts.ts";
import type { ChoiceShape } from "./column-shape.ts";

interface ChoiceFieldProps {
  readonly id: string;
  readonly labelId: string;
  readonly shape: ChoiceShape;
  readonly value: string | undefined;
  readonly likely: Readonly<Record<string, number>> | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** More choices than this are a list to open. */
const BUTTONS = 5;

/** One of several values; unknown is the first of them. */
export function ChoiceField(props: ChoiceFieldProps) {
  return props.shape.choices.length > BUTTONS ? <ListField {...props} /> : <ButtonsField {...props} />;
}

function ListField({ id, shape, value, likely, onChange }: ChoiceFieldProps) {
  return (
    <select
      id={id}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    >
      <option value="">{FORM.unknown}</option>
      {shape.choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
          {value === undefined && ` (${percent(likely?.[choice.value] ?? choice.share)})`}
        </option>
      ))}
    </select>
  );
}

function ButtonsField({ id, labelId, shape, value, likely, onChange }: ChoiceFieldProps) {
  const options = [{ value: "", label: FORM.unknown, share: 0 }, ...shape.choices];
  return (
    <div class="choices" role="radiogroup" aria-labelledby={labelId} id={id}>
      {options.map((option) => (
        <label key={option.value} class={option.value === "" ? "choice nothing" : "choice"}>
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={(value ?? "") === option.value}
            onChange={() => onChange(option.value || undefined)}
          />
          <span>{option.label}</span>
          {option.value !== "" && value === undefined && (
            <i style={{ width: `${100 * (likely?.[option.value] ?? option.share)}%` }} />
          )}
        </label>
      ))}
    </div>
  );
}
