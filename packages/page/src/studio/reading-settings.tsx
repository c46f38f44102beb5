import { ListField } from "../frame/list-field.tsx";
import { DATA } from "../frame/studio-texts.ts";
import type { Study } from "./study.ts";

interface ReadingSettingsProps {
  readonly choices: Study["choices"];
  /** The sheets of an Excel workbook. */
  readonly sheets: readonly string[];
  readonly isOpen: boolean;
  readonly onChoose: (part: Partial<Study["choices"]>) => void;
}

/** How the file is to be read, where what was found out is wrong. */
export function ReadingSettings({ choices, sheets, isOpen, onChoose }: ReadingSettingsProps) {
  const { header, encoding, sheet, gaps, decimal } = choices;
  return (
    <details class="settings" open={isOpen || sheets.length > 1}>
      <summary>{DATA.settings}</summary>
      {sheets.length > 1 && (
        <label>
          {DATA.sheet}
          <select
            value={sheet ?? sheets[0]}
            onChange={({ currentTarget: { value } }) =>
              onChoose({ sheet: value, kinds: {}, exclude: [], label: undefined })
            }
          >
            {sheets.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {DATA.header}
        <select
          value={header === undefined ? "auto" : header ? "yes" : "no"}
          onChange={({ currentTarget: { value } }) =>
            onChoose({ header: value === "auto" ? undefined : value === "yes" })
          }
        >
          {Object.entries(DATA.headerChoices).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        {DATA.encoding}
        <select
          value={encoding ?? "utf-8"}
          onChange={({ currentTarget: { value } }) =>
            onChoose({ encoding: value === "utf-8" ? undefined : value })
          }
        >
          {Object.entries(DATA.encodings).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <ListField
        label={DATA.gapTexts}
        list={gaps}
        placeholder={DATA.gapPlaceholder}
        onList={(list) => onChoose({ gaps: list })}
      />
      <label>
        {DATA.decimal}
        <select
          value={decimal ?? "auto"}
          onChange={({ currentTarget: { value } }) =>
            onChoose({ decimal: value === "auto" ? undefined : (value as "point" | "comma") })
          }
        >
          {Object.entries(DATA.decimalChoices).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </details>
  );
}
