import { readFileSync } from "node:fs";
import type { Color } from "./palette.ts";
import { axes, dot, type Frame, label, line, type Point, percent, picture } from "./plot.ts";

/** The lines of the tables in compare/RESULTS.md that are drawn. */
const METHODS: readonly { readonly method: string; readonly words: string; readonly color: Color }[] = [
  { method: "ours", words: "conformant", color: "ours" },
  { method: "mean", words: "mean imputation", color: "other" },
  { method: "nearest neighbors (10)", words: "nearest neighbors", color: "third" },
  { method: "chained equations", words: "chained equations", color: "truth" },
];

const RATES = [0.2, 0.4, 0.6, 0.8];
/** Panels side by side, and their measures. */
const [COLUMNS, WIDTH, HEIGHT, TOP] = [3, 246, 210, 40];

/** A table of the page: the cross entropy ×100 of each method at each rate. */
interface Panel {
  readonly name: string;
  readonly values: ReadonlyMap<string, readonly number[]>;
}

/** Cross entropy of each table of compare/RESULTS.md by the share of masked values, read from the page so that both agree. */
export function comparedMethods(): string {
  const panels = readPanels(readFileSync(new URL("../../compare/RESULTS.md", import.meta.url), "utf8"));
  const height = TOP + HEIGHT * Math.ceil(panels.length / COLUMNS);
  const words = METHODS.map((one) => one.words);
  return picture(
    COLUMNS * WIDTH,
    height,
    `Cross entropy to the classifier's complete-row predictions with 20 to 80% of the values masked, on ${panels.length} tables: ${words.join(", ")}`,
    ...METHODS.map(({ words: text, color }, m) =>
      label([20 + m * 178, 26], text, { color, "font-weight": 600 }),
    ),
    ...panels.map((panel, p) =>
      drawPanel(panel, (p % COLUMNS) * WIDTH, TOP + HEIGHT * Math.floor(p / COLUMNS)),
    ),
  );
}

function drawPanel({ name, values }: Panel, x: number, y: number): string {
  const all = METHODS.flatMap(({ method }) => values.get(method) ?? []);
  const most = Math.max(...all);
  const frame: Frame = {
    left: x + 48,
    right: x + WIDTH - 16,
    top: y + 30,
    bottom: y + HEIGHT - 40,
    x: [0.15, 0.85],
    y: [0, most],
  };
  const ticks = [0, most / 2, most].map((tick) => Math.round(tick));
  return [
    axes(frame, { x: RATES, y: ticks }, { x: "", y: name }, { x: percent }),
    // The first is drawn last, so that no other line hides it.
    ...[...METHODS].reverse().flatMap(({ method, color }) => {
      const points = (values.get(method) ?? []).map((value, i): Point => [RATES[i], value]);
      return [line(frame, points, color), ...points.map((point) => dot(frame, point, color, 3))];
    }),
  ].join("");
}

/** The first table with masked values: a line per table and rate, a mean and its error per method. */
function readPanels(page: string): Panel[] {
  const lines = page
    .split("\n## ")[1]
    .split("\n")
    .filter((text) => text.startsWith("| "));
  const [head, , ...rows] = lines.map((text) =>
    text
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const panels = new Map<string, string[][]>();
  for (const [name, ...cells] of rows) panels.set(name, [...(panels.get(name) ?? []), cells]);
  return [...panels].map(([name, cells]) => {
    const values = head
      .slice(2)
      .map((method, m): [string, readonly number[]] => [
        method,
        cells.map((row) => Number.parseFloat(row[m + 1].replaceAll("*", ""))),
      ]);
    return { name, values: new Map(values) };
  });
}
