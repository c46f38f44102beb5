import type { ChoiceOfMixture } from "conformant";
import { drawLineChart } from "conformant-workbench";
import { numbersOf } from "conformant-workbench/describe";
import { legend } from "./html-page.ts";
import { seriesColor } from "./page-style.ts";

/**
 * The cross entropy of the candidates by size, a line per kind, with the standard error of the difference from the best; the chosen one has
 * a ring.
 */
export function choicePlot({ curve, chosen }: ChoiceOfMixture): string {
  const kinds = [...new Set(curve.map(numbersOf))];
  const sizes = [...new Set(curve.map(({ components }) => components))];
  const plot = drawLineChart({
    title: "Cross entropy of the candidates over their size",
    x: { title: "components", scale: "log", ticks: sizes },
    y: { title: "cross entropy" },
    errors: "bar",
    lines: kinds.map((name, kind) => ({
      name,
      color: seriesColor(kind),
      points: curve.flatMap((score, i) =>
        numbersOf(score) === name
          ? {
              x: score.components,
              y: score.crossEntropy ?? Number.NaN,
              error: score.behind?.standardError,
              isChosen: i === chosen,
            }
          : [],
      ),
    })),
  });
  return legend(kinds) + plot;
}
