/** Invisible characters that make two texts different: no-break spaces, zero-width characters, byte order marks. */
const INVISIBLE = /(?!\u200d)[\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200f\u202f\u205f\u3000]/gu;

/** A name for a message: quoted, without secrets, shortened, with invisible characters written as \u00a0. */
export function quoted(name: string): string {
  const shown = showable(name);
  const short = JSON.stringify(shown.length > 60 ? `${shown.slice(0, 57)}...` : shown);
  return short.replace(INVISIBLE, (mark) => `\\u${mark.codePointAt(0)?.toString(16).padStart(4, "0")}`);
}

/** A text without the password of an address in it. */
export function showable(text: string): string {
  return text
    .replace(/(:\/\/[^:@/]*):.*@/s, "$1:…@")
    .replace(/(password|passwd|pwd|token|secret)=.*/is, "$1=…");
}

/** A few names for a message, and the number of the others. */
export function listed(names: readonly string[], most = 12): string {
  const shown = names.slice(0, most).map(quoted).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
