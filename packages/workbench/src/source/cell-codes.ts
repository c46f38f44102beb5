/** Codes of a discrete column that are no position: a gap, a category the model does not know, a value that cannot be. */
export const GAP = -1;
export const UNSEEN = -2;
export const INVALID = -3;
