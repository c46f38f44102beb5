import type { Axis } from "./scale.ts";

/** A point of a line. The line is interrupted where y is NaN. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** The error, in both directions. */
  readonly error?: number | undefined;
  /** The size of its dot. */
  readonly radius?: number;
  /** Whether a ring is drawn around it. */
  readonly isChosen?: boolean;
}

export interface ChartLine {
  readonly name: string;
  /** A CSS color. */
  readonly color: string;
  readonly dash?: string | undefined;
  readonly points: readonly ChartPoint[];
  /** Reference values, drawn as hollow dots. */
  readonly others?: readonly (readonly [x: number, y: number])[];
}

/** Lines over an axis. Everything but the lines has the text color of the surrounding page. */
export interface LineChart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly ChartLine[];
  /** How errors are drawn: as a band along the line, or a bar at each point. */
  readonly errors?: "band" | "bar";
  /** The size of dots; 0 for none. */
  readonly dots?: number;
  /** Draws the diagonal from (0, 0) to (1, 1) for comparison. */
  readonly diagonal?: boolean;
  /** For a file of its own: white background, title and a legend, in which `others` are named. */
  readonly alone?: { readonly others: string };
}

/** A picture, and the position of its axes in pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
