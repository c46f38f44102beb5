/** The quantity along one side of a chart. */
export interface Axis {
  readonly title: string;
  readonly scale?: "linear" | "log";
  readonly ticks?: readonly number[];
  readonly format?: (value: number) => string;
  /** The visible range; values beyond it are drawn at the edge (default: all points). */
  readonly domain?: readonly [least: number, most: number];
}

/** An axis in a picture. */
export interface Scale {
  /** The position of a value in pixels. */
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
}

/** Space beside the outermost values, as a share of their range. */
const ROOM = 0.05;

/**
 * Places an axis between two positions of a picture.
 *
 * @param values what must be visible where the axis has no domain
 */
export function createScale(axis: Axis, values: readonly number[], from: number, to: number): Scale {
  const bend = axis.scale === "log" ? Math.log : (value: number): number => value;
  const [least, most] =
    axis.domain ?? rangeOf(values.filter(Number.isFinite), axis.scale === "log" ? 0 : ROOM);
  const [a, b] = [bend(least), bend(most)];
  return {
    at: (value) => {
      const seen = Math.min(most, Math.max(least, value));
      return from + ((bend(seen) - a) / (b - a || 1)) * (to - from);
    },
    ticks: axis.ticks ?? roundTicks(least, most),
    format: axis.format ?? ((value) => String(Number(value.toPrecision(4)))),
  };
}

function rangeOf(values: readonly number[], share: number): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = share * (most - least || Math.abs(most) || 1);
  return [least - room, most + room];
}

/** About five round numbers in a range. */
function roundTicks(least: number, most: number): number[] {
  const rough = (most - least) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(least / step);
  const count = Math.floor(most / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, t) => Number(((first + t) * step).toPrecision(10)));
}
