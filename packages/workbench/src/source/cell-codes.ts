/** Special codes of a discrete column: missing, unknown category, invalid value. */
export const GAP = -1;
export const UNSEEN = -2;
export const INVALID = -3;
