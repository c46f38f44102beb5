/**
 * Patterns of the texts that a guard is put on, which JavaScript and RE2 read alike: what a spreadsheet may take for the beginning of
 * a formula (OWASP, CSV injection) with something behind it (any character, a line end too), unless it is a number (in small letters
 * or capitals), which may begin like a formula: -3, +1, -.5e-7, -Infinity; also with a decimal comma or a percent sign.
 */
export const FORMULA_PATTERNS = {
  formula: "^[=+\\-@\\t\\r\\n＝＋－＠].",
  number: "^[+-]((\\d+([.,]\\d*)?|[.,]\\d+)(e[+-]?\\d+)?[ \\t\u00a0\u202f]*%?|inf|infinity)$",
} as const;

const FORMULA = new RegExp(FORMULA_PATTERNS.formula, "su");
const NUMBER = new RegExp(FORMULA_PATTERNS.number, "iu");

/** A text that every spreadsheet shows as it stands: what it might run as a formula gets an apostrophe before it. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
