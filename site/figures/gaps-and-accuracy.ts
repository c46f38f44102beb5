import trees from "../../paper/results/trees.json" with { type: "json" };
import { axes, dot, type Frame, label, line, type Point, percent, picture, place } from "./plot.ts";

const WIDTH = 740;
const HEIGHT = 360;
const frame: Frame = { left: 62, right: 480, top: 44, bottom: 290, x: [0, 0.8], y: [0.2, 1] };

/** The methods of paper/results/trees.json that are drawn: the same trees with three ways to handle missing inputs. */
const ways = [
  { way: "trees, expected prediction", words: "conformant", color: "ours" },
  { way: "trees, their own handling", words: "trees' own handling", color: "third" },
  { way: "trees, mean", words: "mean imputation", color: "other" },
] as const;

/** README's picture: accuracy of the same boosted trees as more inputs are missing, as measured by `npm run paper -- trees`. */
export function gapsAndAccuracy(): string {
  const table = trees.tables.find(({ title }) => title === "Splice");
  if (!table) throw new Error("paper/results/trees.json has no Splice");
  const lines = ways.flatMap(({ way, words, color }) => {
    const found = table.ways.find((one) => one.way === way);
    if (!found) throw new Error(`paper/results/trees.json has no "${way}"`);
    const points = trees.rates.map((rate, i): Point => [rate, found.accuracy[i]]);
    const last = points[points.length - 1];
    const [x, y] = place(frame, last);
    return [
      line(frame, points, color, { "stroke-width": 3 }),
      ...points.map((point) => dot(frame, point, color)),
      label([x + 12, y + 5], `${words} ${percent(last[1])}`, { color, "font-weight": 600 }),
    ];
  });
  return picture(
    WIDTH,
    HEIGHT,
    `Accuracy of the same boosted trees with 0 to 80% of the inputs missing: ${ways.map(({ words }) => words).join(", ")}`,
    axes(
      frame,
      { x: trees.rates, y: [0.2, 0.4, 0.6, 0.8, 1] },
      { x: "missing inputs", y: "accuracy" },
      { x: percent, y: percent },
    ),
    ...lines,
  );
}
