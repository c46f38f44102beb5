import type { TreeLink } from "./tree-classifier.ts";

/**
 * Trees as other software writes them, in the shape every reader of such files hands over. Features are columns of the data,
 * or `column=value` for a one-hot bit of a categorical one.
 */
export interface TreesJson {
  readonly kind: "trees";
  readonly classes: readonly string[];
  readonly label?: string;
  readonly features: readonly string[];
  /** Per feature the categories in the order of their codes, where it is split by sets of codes; null for numbers. */
  readonly categories?: readonly (readonly string[] | null)[];
  readonly link: TreeLink;
  /** Where the sums start: one number for "logistic", else one per class. Default 0. */
  readonly base?: readonly number[];
  /** Whether numbers are rounded to single precision before they are compared. Default false. */
  readonly single?: boolean;
  /** Where the codes of a node's set go; all others go to the other side. Default "left". */
  readonly setsGo?: "left" | "right";
  readonly trees: readonly TreeJson[];
}

/** One tree, node by node; node 0 is the root. */
export interface TreeJson {
  /** The sum that the leaves add to, where they hold one number. Default 0. */
  readonly output?: number;
  /** Position of the feature, −1 for a leaf. */
  readonly feature: readonly number[];
  /** A number goes left where it is at most this; ignored for leaves and sets. */
  readonly threshold: readonly (number | null)[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** What leaves add: one number, or one per sum; ignored elsewhere. */
  readonly value: readonly (number | readonly number[] | null)[];
  /** Sets of codes by node, null where the threshold decides; where they go `setsGo` says. */
  readonly sets?: readonly (readonly number[] | null)[];
  /** Whether a gap goes left, by node. Default to the right. */
  readonly gapsLeft?: readonly (boolean | number)[];
}
