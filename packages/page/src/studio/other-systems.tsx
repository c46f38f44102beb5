import { useState } from "preact/hooks";
import { DIALECTS, SAVE } from "../frame/studio-texts.ts";
import type { SaveFormat } from "../worker/save-messages.ts";
import { exportInWorker } from "./export-in-worker.ts";
import { SaveButton } from "./save-button.tsx";

/** Endings of the files. */
const FORMS: Readonly<Record<SaveFormat, string>> = { python: ".py", onnx: ".onnx", sql: ".sql" };

/** The model for other systems, as the command writes it. */
export function OtherSystems({ model, base }: { model: string; base: string }) {
  const [dialect, setDialect] = useState<string>("ansi");
  const [table, setTable] = useState("data");
  return (
    <>
      <h3>{SAVE.elsewhere}</h3>
      <p>{SAVE.elsewhereAbout}</p>
      <ul class="forms">
        {(Object.keys(FORMS) as SaveFormat[]).map((form) => (
          <li key={form}>
            <p>
              <b>{SAVE.forms[form]}</b> <span class="note">{SAVE.formsAbout[form]}</span>
            </p>
            {form === "sql" && (
              <>
                <label class="line">
                  {SAVE.dialect}
                  <select value={dialect} onChange={({ currentTarget }) => setDialect(currentTarget.value)}>
                    {Object.entries(DIALECTS).map(([name, words]) => (
                      <option key={name} value={name}>
                        {words}
                      </option>
                    ))}
                  </select>
                </label>
                <label class="line">
                  {SAVE.table}
                  <input
                    type="text"
                    autocomplete="off"
                    value={table}
                    onChange={({ currentTarget }) => setTable(currentTarget.value.trim() || "data")}
                  />
                </label>
              </>
            )}
            <SaveButton
              words={SAVE.downloadForm[form]}
              name={`${base}${FORMS[form]}`}
              make={() => exportInWorker({ model, form, dialect, table })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
