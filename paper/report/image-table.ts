import type { Results } from "../protocol/results.ts";
import { markdownTable } from "./paper-table.ts";
import { figures } from "./published.ts";

/** The numbers of missing pixels that are compared one by one. */
const COMPARED = [80, 160, 240, 400, 560, 640];

/** Ours and the paper's at some points of a figure, and the difference. */
export function imageTable(result: Results): string {
  const published = result.dataset === "mnist" ? figures.mnist : figures.fashion;
  const rows = ["nacl", "mean", "median", "min", "naive_bayes"].flatMap((method) =>
    (["accuracy", "cross_entropy"] as const).flatMap((measure) => {
      const at = (values: readonly (number | null)[] | undefined, x: readonly number[]): string[] =>
        COMPARED.map((missing) => values?.[x.indexOf(missing)]?.toFixed(4) ?? "");
      const name = `${method}, ${measure.replace("_", " ")}`;
      return [
        [name, "ours", ...at(result[measure][method], result.missing)],
        [name, "paper", ...at(published[measure][method], published.missing_pixels)],
      ];
    }),
  );
  return markdownTable([`${result.title}, missing pixels`, "", ...COMPARED.map(String)], rows);
}
