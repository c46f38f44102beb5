/**
 * What the text of a cell means: gaps, numbers in any notation, categories. The command, the page and the service read cells by these rules.
 *
 * @module
 */

export { sortLabels } from "../schema/sort-labels.ts";
export {
  categoryFinder,
  categoryKey,
  GAP_TEXTS,
  isDateText,
  isGapText,
  type NumberStyle,
  numberPattern,
  PLAIN_NUMBERS,
  readNumberText,
  trimText,
} from "../schema/texts/cell-text.ts";
export { FORMULA_PATTERNS, guardFormula } from "../schema/texts/guard-formula.ts";
export {
  decideNumberStyle,
  evidencePatterns,
  type NumberEvidence,
  numberEvidence,
  usesCommas,
} from "../schema/texts/number-style.ts";
