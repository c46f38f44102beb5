import { FileButton } from "../frame/file-button.tsx";
import { TABLE } from "../frame/texts.ts";

interface CsvDropProps {
  /** A first line as the model would like it. */
  readonly example: string;
  readonly onTake: (table: string | Blob) => void;
}

/** A place for a CSV file: chosen or pasted; dropped it is anywhere on the page. */
export function CsvDrop({ example, onTake }: CsvDropProps) {
  return (
    <fieldset class="drop">
      <legend class="hidden">{TABLE.legend}</legend>
      <p>
        {TABLE.drop}{" "}
        <FileButton accept=".csv,.tsv,.txt,text/csv" onTake={onTake}>
          {TABLE.choose}
        </FileButton>
        {TABLE.firstLine}
      </p>
      <label for="paste">{TABLE.paste}</label>
      <textarea
        id="paste"
        rows={3}
        spellcheck={false}
        placeholder={example}
        onInput={({ currentTarget }) => onTake(currentTarget.value)}
      />
    </fieldset>
  );
}
