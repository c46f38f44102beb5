import { DATASETS } from "../../datasets/datasets.ts";
import { isAdditive } from "../../methods/method.ts";
import { methodOf } from "../../methods/methods.ts";
import type { Results } from "../../protocol/scores/results.ts";
import { shortTitle } from "../series.ts";
import { markdownTable } from "./markdown-table.ts";

/** The paper's Table 1 beside what was read here. */
export function testbedTable(results: readonly Results[]): string {
  const rows = DATASETS.flatMap(({ name, testbed }) => {
    const own = results.filter(({ dataset }) => dataset === name);
    if (!testbed || own.length === 0) return [];
    return [
      [
        shortTitle(own[0]),
        testbed.types,
        testbed.size,
        [...new Set(own.map((result) => count(result.training_rows + result.test_rows)))].join(" / "),
        testbed.classes,
        String(testbed.features),
        own.map(({ split, columns }) => `${columns} (${split})`).join(", "),
      ],
    ];
  });
  return markdownTable(
    [
      "dataset",
      "features (paper)",
      "size (paper)",
      "rows here",
      "classes: distribution (paper)",
      "# features (paper)",
      "columns that go missing here",
    ],
    rows,
  );
}

/** What was run, and what it cost. */
export function runsTable(results: readonly Results[]): string {
  const rows = results.map((result) => {
    const others = Object.entries(result.method_repeats).filter(([name]) => !isAdditive(methodOf(name)));
    const fewest = Math.min(...others.map(([, repeats]) => repeats));
    return [
      result.title,
      result.split,
      `${count(result.training_rows)} + ${count(result.test_rows)}`,
      String(result.l2),
      String(result.pseudocount),
      `${result.repeats}${others.length === 0 ? "" : ` (${fewest})`}`,
      String(result.missing.length),
      result.accuracy.nacl?.[0]?.toFixed(4) ?? "",
      `${(result.processor_seconds / 60).toFixed(1)} min`,
      `${result.provenance.commit?.slice(0, 7) ?? ""}, ${result.provenance.date.slice(0, 10)}`,
    ];
  });
  return markdownTable(
    [
      "dataset",
      "split",
      "rows, training + test",
      "l2",
      "pseudo-count",
      "repeats (methods that are slow)",
      "numbers of missing columns",
      "accuracy, complete rows",
      "processor time",
      "commit, date",
    ],
    rows,
  );
}

function count(rows: number): string {
  return rows.toLocaleString("en");
}
