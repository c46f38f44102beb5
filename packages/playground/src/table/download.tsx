import { useRef } from "preact/hooks";
import { type PredictedTable, resultsCsv } from "./predict-table.ts";

/** A button that saves the results as a file, without a server. */
export function Download({ table }: { table: PredictedTable }) {
  const link = useRef<HTMLAnchorElement>(null);
  const save = (): void => {
    if (!link.current) return;
    const url = URL.createObjectURL(new Blob([resultsCsv(table)], { type: "text/csv" }));
    link.current.href = url;
    link.current.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <>
      <button type="button" onClick={save}>
        Download results
      </button>
      {/* biome-ignore lint/a11y/useValidAnchor: never seen; it carries the name of the file */}
      {/* biome-ignore lint/a11y/useAnchorContent: never seen */}
      <a ref={link} download="predictions.csv" hidden />
    </>
  );
}
