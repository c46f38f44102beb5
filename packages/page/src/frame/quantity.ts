import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { percent, points } from "./numbers.ts";
import { RESULT } from "./texts.ts";

/** Half the width of a 95% interval, in standard errors. */
export const CONFIDENCE = 1.96;

/** How an answer is written and drawn: a probability, or a number in its unit. */
export interface Quantity {
  /** The ends of its axis. */
  readonly low: number;
  readonly high: number;
  /** A change that is not worth a line of its own. */
  readonly little: number;
  readonly text: (x: number) => string;
  /** The same without a unit, for lists whose heading has it. */
  readonly plain: (x: number) => string;
  /** A change, with its sign. */
  readonly change: (x: number) => string;
  /** What stands behind a change, and what it means. */
  readonly changeUnit: readonly [short: string, meaning: string] | undefined;
}

/** A probability, in percent and percentage points. */
export const PROBABILITY: Quantity = {
  low: 0,
  high: 1,
  little: 0.005,
  text: percent,
  plain: percent,
  change: points,
  changeUnit: [RESULT.points, RESULT.pointsMeaning],
};

/** The axis has about so many steps that are told apart in writing, and changes below this share of it are little. */
const [STEPS, LITTLE] = [300, 0.005];
/** From here on digits are grouped. */
const GROUPED = 10_000;

/** A number whose answers lie between these mostly. */
export function numberQuantity({ low, high }: Pick<Quantity, "low" | "high">, unit?: string): Quantity {
  const power = Math.floor(Math.log10(Math.max(high - low, Number.MIN_VALUE) / STEPS));
  const digits = Math.min(20, Math.max(0, -power));
  const round = (x: number): number => (power > 0 ? Math.round(x / 10 ** power) * 10 ** power : x);
  const plain = (x: number): string =>
    round(x).toLocaleString("en", {
      useGrouping: Math.max(-low, high) >= GROUPED,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  // A minus sign as wide as a plus, and none before a zero.
  const text = (x: number): string =>
    plain(x)
      .replace(/^-(?=.*[1-9])/, "−")
      .replace(/^-/, "");
  return {
    low,
    high,
    little: LITTLE * (high - low),
    text: (x) => (unit === undefined ? text(x) : `${text(x)} ${unit}`),
    plain: text,
    change: (x) => `${x < 0 ? "−" : "+"}${text(Math.abs(x))}`,
    changeUnit: undefined, // the unit stands beside the answer
  };
}

/** How answers are written on this page. */
export const QuantityContext = createContext(PROBABILITY);

export function useQuantity(): Quantity {
  return useContext(QuantityContext);
}
