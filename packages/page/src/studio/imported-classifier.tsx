import { FileButton } from "../frame/file-button.tsx";
import { ListField } from "../frame/list-field.tsx";
import { IMPORTED } from "../frame/studio-texts.ts";
import type { ImportedNames, StudyFile } from "../worker/study-messages.ts";
import { sentencesOf } from "../worker/to-failure.ts";
import type { Study } from "./study.ts";
import type { OpenTable } from "./use-table.ts";

interface BroughtClassifierProps {
  readonly file: StudyFile | undefined;
  readonly found: OpenTable["imported"];
  readonly names: ImportedNames;
  readonly onImport: (file: StudyFile) => void;
  readonly onChoose: (part: Partial<Study["choices"]>) => void;
}

/** The file of a classifier that was trained elsewhere: what it is on this table, and names that it lacks. */
export function ImportedClassifierField({ file, found, names, onImport, onChoose }: BroughtClassifierProps) {
  return (
    <div class="imported">
      <FileButton accept={IMPORTED.endings} onTake={(content) => onImport({ name: content.name, content })}>
        {file ? IMPORTED.another : IMPORTED.choose}
      </FileButton>
      <p class="note">{IMPORTED.formats}</p>
      {file && found && "classes" in found && (
        <p role="status">
          <b>{file.name}</b>: {IMPORTED.found(found.kind, found.classes, found.columns)}
        </p>
      )}
      {found && "message" in found && (
        <p class="unlike" role="alert">
          {sentencesOf(found)}
        </p>
      )}
      {found &&
        "notes" in found &&
        found.notes.map((note) => (
          <p key={note} class="note warn">
            {note}
          </p>
        ))}
      {file && (
        <details class="settings" open={found && !isNamed(found)}>
          <summary>{IMPORTED.names}</summary>
          {(["classes", "columns", "categories"] as const).map((what) => (
            <ListField
              key={what}
              label={IMPORTED.naming[what]}
              list={names[what]}
              placeholder={IMPORTED.examples[what]}
              onList={(list) => onChoose({ names: { ...names, [what]: list } })}
            />
          ))}
        </details>
      )}
    </div>
  );
}

/** Whether a classifier can be used and its classes have names: some files only count them. */
function isNamed(found: NonNullable<OpenTable["imported"]>): boolean {
  return "classes" in found && !found.classes.every((name, k) => name === String(k));
}
