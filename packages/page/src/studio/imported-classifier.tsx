import { FileButton } from "../frame/file-button.tsx";
import { ListField } from "../frame/list-field.tsx";
import { BROUGHT } from "../frame/studio-texts.ts";
import type { ImportedNames, StudyFile } from "../worker/study-messages.ts";
import { sentencesOf } from "../worker/to-failure.ts";
import type { Study } from "./study.ts";
import type { OpenTable } from "./use-table.ts";

interface BroughtClassifierProps {
  readonly file: StudyFile | undefined;
  readonly found: OpenTable["brought"];
  readonly names: ImportedNames;
  readonly onBring: (file: StudyFile) => void;
  readonly onChoose: (part: Partial<Study["choices"]>) => void;
}

/** The file of a classifier that was trained elsewhere: what it is on this table, and names that it lacks. */
export function ImportedClassifierField({ file, found, names, onBring, onChoose }: BroughtClassifierProps) {
  return (
    <div class="brought">
      <FileButton accept={BROUGHT.endings} onTake={(content) => onBring({ name: content.name, content })}>
        {file ? BROUGHT.another : BROUGHT.choose}
      </FileButton>
      <p class="note">{BROUGHT.formats}</p>
      {file && found && "classes" in found && (
        <p role="status">
          <b>{file.name}</b>: {BROUGHT.found(found.kind, found.classes, found.columns)}
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
          <summary>{BROUGHT.names}</summary>
          {(["classes", "columns", "categories"] as const).map((what) => (
            <ListField
              key={what}
              label={BROUGHT.naming[what]}
              list={names[what]}
              placeholder={BROUGHT.examples[what]}
              onList={(list) => onChoose({ names: { ...names, [what]: list } })}
            />
          ))}
        </details>
      )}
    </div>
  );
}

/** Whether a classifier can be used and its classes have names: some files only count them. */
function isNamed(found: NonNullable<OpenTable["brought"]>): boolean {
  return "classes" in found && !found.classes.every((name, k) => name === String(k));
}
