export { LARGEST } from "../errors.ts";
export {
  categoryFinder,
  categoryKey,
  isDateText,
  isMissingText,
  MISSING_TEXTS,
  type NumberStyle,
  numberPattern,
  PLAIN_NUMBERS,
  readNumberText,
  trimText,
  truthNotation,
} from "../schema/encode-value.ts";
export { sortLabels } from "../schema/labels.ts";

/**
 * What the text of a cell means: gaps, numbers in any notation, categories. The command, the page and the service read cells by these rules.
 *
 * @module
 */
