import { useState } from "preact/hooks";
import { DIALECTS, KEEP } from "../frame/studio-texts.ts";
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
      <h3>{KEEP.elsewhere}</h3>
      <p>{KEEP.elsewhereAbout}</p>
      <ul class="forms">
        {(Object.keys(FORMS) as SaveFormat[]).map((form) => (
          <li key={form}>
            <p>
              <b>{KEEP.forms[form]}</b> <span class="note">{KEEP.formsAbout[form]}</span>
            </p>
            {form === "sql" && (
              <>
                <label class="line">
                  {KEEP.dialect}
                  <select value={dialect} onChange={({ currentTarget }) => setDialect(currentTarget.value)}>
                    {Object.entries(DIALECTS).map(([name, words]) => (
                      <option key={name} value={name}>
                        {words}
                      </option>
                    ))}
                  </select>
                </label>
                <label class="line">
                  {KEEP.table}
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
              words={KEEP.downloadForm[form]}
              name={`${base}${FORMS[form]}`}
              make={() => exportInWorker({ model, form, dialect, table })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
