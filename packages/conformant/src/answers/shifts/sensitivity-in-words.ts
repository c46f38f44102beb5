import { requireMade } from "../../errors.ts";
import type { Sensitivity } from "./sensitivity.ts";

/** Columns that are named where no tilt of theirs changes anything. */
const NAMED = 4;

/** The answer of {@link sensitivity} as a person would give it. */
export function sensitivityInWords(found: Sensitivity): string {
  requireMade("sensitivity", found);
  const { prediction, tilts, limit } = found;
  if (tilts.length === 0) return "Nothing is missing, so that it does not matter why.";
  const [first] = tilts;
  const unmoved = [...new Set(tilts.map(({ column }) => column))].filter((name) =>
    tilts.every(({ column, tilt }) => column !== name || tilt === null),
  );
  const rest = unmoved.length === 0 ? "" : ` No tilt up to ${limit} of ${listed(unmoved)} alone changes it.`;
  if (first.tilt === null) return `Predicted ${prediction}, however the gaps came about.${rest}`;
  return `Predicted ${prediction} if gaps are at random; ${first.prediction} if ${condition(first.column, first.value, first.tilt)}.${rest}`;
}

/** What must be true of the gaps. */
function condition(column: string, value: string | undefined, tilt: number): string {
  const sign = tilt > 0 ? "+" : "−";
  const size = `(tilt ${sign}${Math.abs(tilt).toFixed(2)})`;
  if (value !== undefined)
    return `${column} = ${value} is ${times(tilt)} as likely to be missing as other values ${size}`;
  const other = tilt > 0 ? "lower" : "higher";
  return `a value of ${column} is ${times(Math.abs(tilt))} as likely to be missing as one a standard deviation ${other} ${size}`;
}

function times(tilt: number): string {
  return `${Number(Math.exp(tilt).toPrecision(2))} times`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(", ");
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}
