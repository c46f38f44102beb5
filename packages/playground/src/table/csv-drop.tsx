import { useState } from "preact/hooks";

interface CsvDropProps {
  /** A first line as the model would like it. */
  readonly example: string;
  readonly onTake: (text: string) => void;
}

/** A place for the text of a CSV file: dropped, chosen or pasted. */
export function CsvDrop({ example, onTake }: CsvDropProps) {
  const [over, setOver] = useState(false);
  const takeFile = (file: File | undefined): void => void file?.text().then(onTake);
  return (
    <fieldset
      class={over ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        takeFile(event.dataTransfer?.files[0]);
      }}
    >
      <legend class="hidden">A table in CSV</legend>
      <p>
        Drop a CSV file here, or{" "}
        <label class="file">
          choose one
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={({ currentTarget }) => takeFile(currentTarget.files?.[0])}
          />
        </label>
        . The first line names the columns; empty cells are unknown.
      </p>
      <label for="paste">Or paste it</label>
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
