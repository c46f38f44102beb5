import type { Results } from "../protocol/results.ts";
import { markdownTable } from "./paper-table.ts";
import { figures } from "./published.ts";

/** The numbers of missing pixels that are compared one by one. */
const COMPARED = [80, 160, 240, 400, 560, 640];

/** Ours and the paper's at some points of a figure, and the difference. */
export function imageTable(result: Results): string {
  const published = result.dataset === "mnist" ? figures.mnist : figures.fashion;
  const rows = ["nacl", "mean", "median", "min", "naive_bayes", "mixture"].flatMap((method) =>
    (["accuracy", "cross_entropy"] as const).flatMap((measure) => {
      const at = (values: readonly (number | null)[] | undefined, x: readonly number[]): string[] =>
        COMPARED.map((missing) => values?.[x.indexOf(missing)]?.toFixed(4) ?? "");
      const name = `${method}, ${measure.replace("_", " ")}`;
      const ours = [name, "ours", ...at(result[measure][method], result.missing)];
      const theirs = published[measure][method];
      return theirs ? [ours, [name, "paper", ...at(theirs, published.missing_pixels)]] : [ours];
    }),
  );
  return markdownTable([`${result.title}, missing pixels`, "", ...COMPARED.map(String)], rows);
}
