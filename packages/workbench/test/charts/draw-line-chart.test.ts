import { expect, test } from "vitest";
import { drawLineChart } from "../../src/charts/draw-line-chart.ts";
import type { LineChart } from "../../src/charts/line-chart.ts";

const [LEFT, RIGHT, TOP, BOTTOM] = [60, 536, 34, 254]; // of a chart beside text

function chart(points: LineChart["lines"][number]["points"], more: Partial<LineChart> = {}): string {
  return drawLineChart({
    title: "a title",
    x: { title: "across", domain: [0, 10] },
    y: { title: "up", domain: [0, 1] },
    lines: [{ name: "ours", color: "red", points }],
    ...more,
  });
}

/** The middles of the dots. */
function dotsOf(svg: string): [number, number][] {
  return [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

function lineOf(svg: string): string {
  return /<path d="([^"]*)" fill="none"/.exec(svg)?.[1] ?? "";
}

test("points lie where their values are between the ends of the axes", () => {
  const svg = chart([
    { x: 0, y: 0 },
    { x: 5, y: 0.25 },
    { x: 10, y: 1 },
  ]);
  expect(dotsOf(svg)).toEqual([
    [LEFT, BOTTOM],
    [(LEFT + RIGHT) / 2, BOTTOM - (BOTTOM - TOP) / 4],
    [RIGHT, TOP],
  ]);
});

test("what is beyond the axes is drawn at their edge, and what is no number is not: the line is broken there", () => {
  const svg = chart([
    { x: 0, y: 7 },
    { x: 2, y: Number.NaN },
    { x: 4, y: -1, error: Number.NaN },
    { x: 10, y: 0.5 },
  ]);
  expect(dotsOf(svg).map(([, y]) => y)).toEqual([TOP, BOTTOM, (TOP + BOTTOM) / 2]);
  expect(lineOf(svg).match(/[ML]/g)?.join("")).toBe("MML");
  expect(svg).not.toContain("NaN");
});

test("equal factors are equal steps on an axis of logarithms", () => {
  const svg = chart(
    [1, 2, 4, 8].map((x) => ({ x, y: 0.5 })),
    { x: { title: "across", scale: "log" } },
  );
  const [a, b, c, d] = dotsOf(svg).map(([x]) => x);
  expect([b - a, c - b, d - c].map(Math.round)).toEqual(new Array(3).fill(Math.round((RIGHT - LEFT) / 3)));
});

test("without ends the axes hold all points and what they may be off, and have round numbers", () => {
  const svg = chart([{ x: 3, y: 40, error: 13 }], { x: { title: "" }, y: { title: "" } });
  const numbers = [...svg.matchAll(/text-anchor="end"[^>]*>([^<]*)</g)].map(([, text]) => Number(text));
  expect(numbers).toEqual([30, 40, 50]);
  const [[, y]] = dotsOf(svg);
  expect(y).toBeCloseTo((TOP + BOTTOM) / 2, 5);
});

test("no points are an empty chart, and texts cannot become markup", () => {
  expect(chart([], { x: { title: "" }, y: { title: "" } })).not.toMatch(/NaN|Infinity/);
  const svg = chart([{ x: 1, y: 1 }], {
    title: '"><script>',
    x: { title: "<b>&" },
    lines: [{ name: "</svg>", color: '"/><script>', points: [{ x: 1, y: 1 }] }],
    alone: { others: "<i>" },
  });
  expect(svg).not.toMatch(/<script|<b>|<i>|<\/svg>./);
});

test("bars, rings, dashes and a diagonal are drawn where they are asked for", () => {
  const points = [{ x: 2, y: 0.5, error: 0.1, isChosen: true }];
  const svg = drawLineChart({
    title: "",
    x: { title: "", domain: [0, 1] },
    y: { title: "", domain: [0, 1] },
    errors: "bar",
    diagonal: true,
    lines: [{ name: "", color: "red", dash: "2 3", points, others: [[0.5, 0.5]] }],
  });
  expect(svg).toContain('stroke-dasharray="2 3"');
  expect(svg).toContain(`x1="${LEFT}" y1="${BOTTOM}" x2="${RIGHT}" y2="${TOP}"`);
  expect(svg.match(/<circle/g)).toHaveLength(3); // the dot, its ring, one of others
  expect(svg).not.toContain('fill-opacity="0.16"'); // no band
});
