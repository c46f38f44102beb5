import { readFileSync } from "node:fs";
import type { Color } from "./palette.ts";
import { axes, type Frame, label, line, type Point, percent, picture } from "./plot.ts";

/** The ways to predict in compare/results/worlds.md, as they are drawn; where two lines coincide, the later one is on top. */
const WAYS: readonly {
  readonly way: string;
  readonly words: string;
  readonly color: Color;
  readonly dashes?: string;
}[] = [
  { way: "mean + indicator", words: "mean and indicator", color: "third" },
  { way: "fit --missing random", words: "fit --missing random", color: "other" },
  { way: "fit", words: "fit (default)", color: "ours" },
  { way: "exact", words: "exact", color: "truth", dashes: "6 5" },
];

/** Titles of the plots, by the names of the worlds. */
const TITLES: Readonly<Record<string, string>> = {
  "by chance": "1. missing by chance",
  "another value": "2. missing by another column",
  "the value itself": "3. missing by the value itself",
  "the outcome": "4. missing by the outcome",
};

/** Plots side by side, and their measures. */
const [COLUMNS, WIDTH, HEIGHT, TOP] = [2, 370, 290, 50];

interface Panel {
  readonly title: string;
  /** Per way P(yes) by the value of b. */
  readonly curves: ReadonlyMap<string, readonly Point[]>;
}

/** The probability of yes where a value is missing, in four worlds with a known truth, as measured by `npm run compare -- worlds`. */
export function worlds(): string {
  const panels = readPanels(
    readFileSync(new URL("../../compare/results/worlds.md", import.meta.url), "utf8"),
  );
  return picture(
    COLUMNS * WIDTH,
    TOP + HEIGHT * Math.ceil(panels.length / COLUMNS),
    `Probability of yes for rows without a, by the value of b, in four worlds: ${panels.map(({ title }) => title).join(", ")}`,
    ...WAYS.map(({ words, color }, w) => label([30 + w * 180, 30], words, { color, "font-weight": 600 })),
    ...panels.map((panel, p) =>
      drawPanel(panel, (p % COLUMNS) * WIDTH, TOP + HEIGHT * Math.floor(p / COLUMNS)),
    ),
  );
}

function drawPanel({ title, curves }: Panel, x: number, y: number): string {
  const frame: Frame = {
    left: x + 56,
    right: x + WIDTH - 24,
    top: y + 34,
    bottom: y + HEIGHT - 56,
    x: [-2, 2],
    y: [0, 1],
  };
  return [
    axes(frame, { x: [-2, -1, 0, 1, 2], y: [0, 0.5, 1] }, { x: "b", y: title }, { y: percent }),
    ...WAYS.map(({ way, color, dashes }) =>
      line(frame, curves.get(way) ?? [], color, dashes ? { "stroke-dasharray": dashes } : {}),
    ),
  ].join("");
}

/** The tables whose first column is a world and "b". */
function readPanels(page: string): Panel[] {
  return page.split("\n\n").flatMap((block) => {
    const [head, , ...rows] = block
      .split("\n")
      .filter((text) => text.startsWith("| "))
      .map((text) =>
        text
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const world = head?.[0].endsWith(": b") ? head[0].slice(0, -": b".length) : undefined;
    if (world === undefined) return [];
    const curves = head
      .slice(1)
      .map((way, w): [string, readonly Point[]] => [
        way,
        rows.map((cells): Point => [Number(cells[0]), Number(cells[w + 1])]),
      ]);
    return [{ title: TITLES[world] ?? world, curves: new Map(curves) }];
  });
}
