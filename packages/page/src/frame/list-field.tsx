interface ListFieldProps {
  readonly label: string;
  readonly list: readonly string[];
  readonly placeholder: string;
  readonly onList: (list: readonly string[]) => void;
}

/** A line of text that is a list, separated by commas. */
export function ListField({ label, list, placeholder, onList }: ListFieldProps) {
  return (
    <label>
      {label}
      <input
        type="text"
        autocomplete="off"
        placeholder={placeholder}
        value={list.join(", ")}
        onChange={({ currentTarget: { value } }) =>
          onList(
            value
              .split(",")
              .map((text) => text.trim())
              .filter((text) => text !== ""),
          )
        }
      />
    </label>
  );
}
