import { PAPER_METHODS } from "../../methods/methods.ts";
import type { Measure, Results } from "../../protocol/scores/results.ts";
import { differences, largest, type Reference } from "../differences.ts";
import { MEASURE_NAMES, missingInWords, shortTitle } from "../series.ts";
import { markdownTable } from "./markdown-table.ts";

/** The largest difference of every dataset, measure and reference: what the reproduction comes to. */
export function glanceTable(results: readonly Results[]): string {
  const references: readonly Reference[] = ["paper", "authors' files"];
  const measures: readonly Measure[] = ["cross_entropy", "accuracy", "weighted_f1"];
  const imputations = PAPER_METHODS.filter((method) => method !== "nacl");
  const rows = results
    .filter(({ split }) => split === "authors")
    .flatMap((result) =>
      measures.flatMap((measure) =>
        references.flatMap((reference) => {
          const cells = [["nacl"], imputations, ["naive_bayes"]].map((methods) =>
            cell(result, reference, measure, methods),
          );
          if (cells.every((text) => text === "")) return [];
          const name = reference === "paper" ? "the printed table" : authorsName(result);
          const unit = measure === "cross_entropy" ? "%" : "points";
          return [[shortTitle(result), `${MEASURE_NAMES[measure]}, ${unit}`, name, ...cells]];
        }),
      ),
    );
  return markdownTable(
    ["dataset", "measure", "compared with", "NaCL", "the four imputations", "naive Bayes"],
    rows,
  );
}

function authorsName({ measure }: Results): string {
  return measure === "accuracy" ? "the paper's figure" : "the authors' files";
}

/** "1.2 (mean, 60 %)": the largest difference and where it is. */
function cell(result: Results, reference: Reference, measure: Measure, methods: readonly string[]): string {
  // A figure is compared at all of its points, a table at its four rates.
  const at = result.measure === "accuracy" ? result.missing : result.rates;
  const most = largest(differences(result, reference, measure, methods, at));
  if (!most) return "";
  const where = [...(methods.length > 1 ? [most.method] : []), missingInWords(result, most.missing)];
  return `${most.value < 0 ? "−" : ""}${Math.abs(most.value).toFixed(most.value > 100 ? 0 : 2)} (${where.join(", ")})`;
}
