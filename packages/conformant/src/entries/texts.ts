export { LARGEST } from "../errors.ts";
export {
  categoryFinder,
  categoryKey,
  isMissingText,
  MISSING_TEXTS,
  trimText,
  truthNotation,
} from "../schema/encode-value.ts";
export { sortLabels } from "../schema/labels.ts";
export {
  DATES,
  type DateStyle,
  isDateText,
  type NumberStyle,
  numberPattern,
  PLAIN_NUMBERS,
  readNumberText,
} from "../schema/number-text.ts";

/**
 * What the text of a cell means: gaps, numbers in any notation, categories. The command, the page and the service read cells by these rules.
 *
 * @module
 */
