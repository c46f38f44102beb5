import { percent } from "./numbers.ts";
import { RESULT } from "./texts.ts";

interface PhoneBarProps {
  readonly prediction: string;
  readonly probability: number;
  /** What else fits on the line. */
  readonly hint?: string | undefined;
}

/** On a phone, where form and result are not in sight together: the prediction at the lower edge, a link to the rest. */
export function PhoneBar({ prediction, probability, hint }: PhoneBarProps) {
  return (
    <a class="phone-bar" href="#result">
      <b>{prediction}</b> {percent(probability)}
      {hint !== undefined && <span>{hint}</span>}
      <i class="hidden">{RESULT.barGo}</i>
    </a>
  );
}
