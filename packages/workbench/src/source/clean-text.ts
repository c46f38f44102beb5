import { isMissingText, trimText } from "conformant/texts";

/** A text without the blanks around it, undefined where it is a gap. */
export function cleanText(text: string, gaps: readonly string[]): string | undefined {
  const trimmed = trimText(text);
  return isMissingText(trimmed, gaps) ? undefined : trimmed;
}
