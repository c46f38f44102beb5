import { type Attributes, element, escapeText, linePath } from "conformant-workbench";
import { type Color, paletteStyle } from "./palette.ts";

/** Where the axes of a plot lie in a picture, and what they measure. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: readonly [least: number, most: number];
  readonly y: readonly [least: number, most: number];
}

export type Point = readonly [x: number, y: number];

/** The place of a point of the data in the picture. */
export function place({ left, right, top, bottom, x, y }: Frame, [a, b]: Point): Point {
  return [
    left + ((a - x[0]) / (x[1] - x[0])) * (right - left),
    bottom - ((b - y[0]) / (y[1] - y[0])) * (bottom - top),
  ];
}

/** Words in the picture. */
export function label(at: Point, text: string, more: Attributes & { readonly color?: Color } = {}): string {
  const { color = "ink", ...attributes } = more;
  return element("text", { x: at[0], y: at[1], class: `fill-${color}`, ...attributes }, escapeText(text));
}

/** A line through points of the data. */
export function line(frame: Frame, points: readonly Point[], color: Color, more: Attributes = {}): string {
  return element("path", {
    d: linePath(points.map((point) => place(frame, point))),
    class: `stroke-${color}`,
    fill: "none",
    "stroke-width": 2.5,
    "stroke-linejoin": "round",
    ...more,
  });
}

/** A dot at a point of the data. */
export function dot(frame: Frame, point: Point, color: Color, radius = 4): string {
  const [cx, cy] = place(frame, point);
  return element("circle", { cx, cy, r: radius, class: `fill-${color}` });
}

/** Both axes with light lines, numbers as `format` writes them, and what they measure. */
export function axes(
  frame: Frame,
  ticks: { readonly x: readonly number[]; readonly y: readonly number[] },
  words: { readonly x: string; readonly y: string },
  format: { readonly x?: (tick: number) => string; readonly y?: (tick: number) => string } = {},
): string {
  const { left, right, top, bottom } = frame;
  const rules = ticks.y.map((tick) => {
    const [, y] = place(frame, [frame.x[0], tick]);
    return (
      element("line", { x1: left, x2: right, y1: y, y2: y, class: "stroke-rule" }) +
      label([left - 8, y + 4.5], (format.y ?? String)(tick), { color: "soft", "text-anchor": "end" })
    );
  });
  const numbers = ticks.x.map((tick) => {
    const [x] = place(frame, [tick, frame.y[0]]);
    return label([x, bottom + 20], (format.x ?? String)(tick), { color: "soft", "text-anchor": "middle" });
  });
  return [
    ...rules,
    ...numbers,
    label([(left + right) / 2, bottom + 42], words.x, { "text-anchor": "middle" }),
    label([left, top - 12], words.y),
  ].join("");
}

/** Percent of a share. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** A whole picture of a width and height; `description` is for those who do not see it. */
export function picture(width: number, height: number, description: string, ...parts: string[]): string {
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      "font-family": "system-ui, -apple-system, 'Segoe UI', sans-serif",
      "font-size": 14,
      role: "img",
      "aria-label": description,
    },
    element("rect", { width, height, rx: 8, class: "fill-ground" }),
    ...parts,
  );
}

/** The picture as a file of its own, which follows the reader's choice of light or dark. */
export function standalone(svg: string): string {
  const style = `<style>${paletteStyle("light")}@media (prefers-color-scheme:dark){${paletteStyle("dark")}}</style>`;
  return `${svg.replace(/(<svg[^>]*)>/, (_, open: string) => `${open} width="${widthOf(svg)}">${style}`)}\n`;
}

function widthOf(svg: string): string {
  return /viewBox="0 0 (\d+)/.exec(svg)?.[1] ?? "";
}
