/** What a spreadsheet may take for the beginning of a formula (OWASP, CSV injection), with something behind it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]./su;
/** Numbers begin like formulas and are none: -3, +1, -.5e-7, -Infinity; also with a decimal comma or a percent sign. */
const NUMBER = /^[+-](?:(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?\s*%?|inf|infinity)$/iu;

/** A text that every spreadsheet shows as it stands: what it might run as a formula gets an apostrophe before it. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
