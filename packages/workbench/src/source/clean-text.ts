import { isMissingText, trimText } from "conformant/texts";

/** A text without surrounding blanks, undefined where it means missing. */
export function cleanText(text: string, gaps: readonly string[]): string | undefined {
  const trimmed = trimText(text);
  return isMissingText(trimmed, gaps) ? undefined : trimmed;
}
