import type { AnyModel, Row } from "conformant";
import { useEffect } from "preact/hooks";
import { isField } from "../frame/is-field.ts";
import { useNames } from "../frame/names.ts";
import { TABLE } from "../frame/texts.ts";
import { CsvDrop } from "./csv-drop.tsx";
import { Predictions } from "./predictions.tsx";
import { usePredictedRows } from "./use-predicted-rows.ts";

/** A file that the page has already. */
export interface OfferedFile {
  readonly name: string;
  readonly content: Blob;
}

interface TablePanelProps {
  readonly model: AnyModel;
  readonly modelText: string;
  /** Whose rows can be predicted by a click. */
  readonly file?: OfferedFile | undefined;
  readonly onOpen: (row: Row) => void;
}

/** Many rows at once: paste or drop a CSV, see its predictions, open a row in the form, download the results. */
export function TablePanel({ model, modelText, file, onOpen }: TablePanelProps) {
  const rows = usePredictedRows(modelText, useNames().limits);
  const { take } = rows;
  useEffect(() => {
    const allow = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped) take(dropped);
    };
    addEventListener("dragover", allow);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", allow);
      removeEventListener("drop", drop);
    };
  }, [take]);
  const names = model.schema.columns.filter(isField).map(({ name }) => name);
  return (
    <section class="card many" aria-labelledby="many" aria-busy={rows.isBusy}>
      <h2 id="many">{TABLE.heading}</h2>
      {file && (
        <button type="button" class="primary" onClick={() => take(file.content)}>
          {TABLE.predictFile(file.name)}
        </button>
      )}
      <CsvDrop example={names.slice(0, 5).join(",")} onTake={take} />
      {rows.isBusy && <p role="status">{TABLE.predicting}</p>}
      {rows.failure !== undefined && (
        <p class="unlike" role="alert">
          {rows.failure}
        </p>
      )}
      {rows.predicted && (
        <Predictions
          columns={new Set(names)}
          table={rows.predicted}
          onOpen={onOpen}
          onMore={rows.showMore}
          onLook={rows.look}
          onSave={rows.save}
        />
      )}
    </section>
  );
}
