interface CsvDropProps {
  /** A first line as the model would like it. */
  readonly example: string;
  readonly onTake: (table: string | Blob) => void;
}

/** A place for a CSV file: chosen or pasted; dropped it is anywhere on the page. */
export function CsvDrop({ example, onTake }: CsvDropProps) {
  return (
    <fieldset class="drop">
      <legend class="hidden">A table in CSV</legend>
      <p>
        Drop a CSV file anywhere on the page, or{" "}
        <label class="file">
          choose one
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file) onTake(file);
            }}
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
