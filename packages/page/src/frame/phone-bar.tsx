import { RESULT } from "./texts.ts";

interface PhoneBarProps {
  /** The class with its probability, or what the number is called with the number. */
  readonly prediction: string;
  readonly value: string;
  /** What else fits on the line. */
  readonly hint?: string | undefined;
}

/** On a phone, where form and result are not in sight together: the prediction at the lower edge, a link to the rest. */
export function PhoneBar({ prediction, value, hint }: PhoneBarProps) {
  return (
    <a class="phone-bar" href="#result">
      <b>{prediction}</b> {value}
      {hint !== undefined && <span>{hint}</span>}
      <i class="hidden">{RESULT.barGo}</i>
    </a>
  );
}
