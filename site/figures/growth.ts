import points from "../../bench/growth.json" with { type: "json" };
import type { Color } from "./palette.ts";
import { axes, dot, type Frame, label, line, type Point, picture } from "./plot.ts";

const [WIDTH, HEIGHT] = [820, 760];
const COLORS: readonly Color[] = ["ours", "third", "truth", "other", "ink"];

type GrowthPoint = (typeof points)[number];

/** One of the four plots: what grows to the right, what is measured upwards, both by powers of ten. */
interface Panel {
  readonly left: number;
  readonly top: number;
  readonly across: "rows" | "columns";
  readonly up: "seconds" | "mebibytes";
  readonly words: { readonly x: string; readonly y: string };
  readonly x: readonly number[];
  readonly y: readonly number[];
}

const ACROSS = [
  { left: 70, across: "rows", words: "rows, of 10 columns", x: [4, 5, 6, 7] },
  { left: 480, across: "columns", words: "columns, of 10,000 rows", x: [1, 2, 3, 4] },
] as const;
const UP = [
  { top: 60, up: "seconds", words: "processor time", y: [-3, -2, -1, 0, 1, 2, 3] },
  { top: 370, up: "mebibytes", words: "memory beyond the data", y: [0, 1, 2, 3, 4] },
] as const;
const PANELS: readonly Panel[] = UP.flatMap((up) =>
  ACROSS.map((across): Panel => ({ ...up, ...across, words: { x: across.words, y: up.words } })),
);

/** How time and memory grow with rows and columns, as measured by bench/growth.ts. */
export function growth(): string {
  const works = [...new Set(points.map(({ what }) => what))];
  const legend = works.map((what, j) =>
    label([70 + 380 * (j % 2), HEIGHT - 66 + 24 * Math.floor(j / 2)], `● ${what}`, { color: COLORS[j] }),
  );
  return picture(
    WIDTH,
    HEIGHT,
    `Time and memory of ${works.join(", ")} at 10 thousand to 10 million rows and at 10 to 10,000 columns; both axes by powers of ten`,
    ...PANELS.map((panel) => drawPanel(panel, works)),
    ...legend,
  );
}

function drawPanel({ left, top, across, up, words, x, y }: Panel, works: readonly string[]): string {
  const ends = (ticks: readonly number[]): [number, number] => [ticks[0], ticks[ticks.length - 1]];
  const frame: Frame = { left, right: left + 310, top, bottom: top + 220, x: ends(x), y: ends(y) };
  const fixed =
    across === "rows"
      ? ({ columns }: GrowthPoint) => columns === 10
      : ({ rows }: GrowthPoint) => rows === 10_000;
  const lines = works.flatMap((what, j) => {
    const own = points
      .filter((point) => point.what === what && fixed(point))
      .map((point): Point => [Math.log10(point[across]), Math.max(y[0], Math.log10(point[up]))]);
    return [line(frame, own, COLORS[j]), ...own.map((point) => dot(frame, point, COLORS[j]))];
  });
  const format = up === "seconds" ? secondsText : mebibytesText;
  return (
    axes(frame, { x, y }, words, { x: (tick) => (10 ** tick).toLocaleString("en"), y: format }) +
    lines.join("")
  );
}

function secondsText(power: number): string {
  return power < 0 ? `${10 ** (power + 3)} ms` : `${10 ** power} s`;
}

function mebibytesText(power: number): string {
  return power < 3 ? `${10 ** power} MiB` : `${10 ** (power - 3)} GB`;
}
