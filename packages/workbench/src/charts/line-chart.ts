import type { Axis } from "./scale.ts";

/** A point of a line. Where y is no number the line is broken. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** How far it may be off, to both sides. */
  readonly error?: number | undefined;
  /** The size of its dot. */
  readonly radius?: number;
  /** Whether a ring is drawn around it. */
  readonly isChosen?: boolean;
}

export interface ChartLine {
  readonly name: string;
  /** A colour of CSS. */
  readonly color: string;
  readonly dash?: string | undefined;
  readonly points: readonly ChartPoint[];
  /** Numbers of others that it is compared with, as hollow dots. */
  readonly others?: readonly (readonly [x: number, y: number])[];
}

/** Lines over an axis. What is not a line's own has the colour of the text around the picture. */
export interface LineChart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly ChartLine[];
  /** How far points may be off: as a band along the line, or a bar at each. */
  readonly errors?: "band" | "bar";
  /** The size of dots; 0 for none. */
  readonly dots?: number;
  /** A line from (0, 0) to (1, 1), which points are compared with. */
  readonly diagonal?: boolean;
  /** For a picture in a file of its own, on white ground with its title and a legend, in which `others` have a name. */
  readonly alone?: { readonly others: string };
}

/** A picture and where its axes lie in it, in pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
