import type { TreeNodes } from "./tree-classifier.ts";

/** A node of a tree, its children to be set once they are there. */
interface SplitNode {
  readonly column: number;
  readonly threshold: number;
  readonly set: number;
  readonly gapsLeft: boolean;
}

/** The nodes of trees while they are laid out one after the other. */
export class NodeLists {
  readonly #column: number[] = [];
  readonly #threshold: number[] = [];
  readonly #set: number[] = [];
  readonly #left: number[] = [];
  readonly #right: number[] = [];
  readonly #gapsLeft: number[] = [];

  /** How many there are: the position of the next one. */
  get length(): number {
    return this.#column.length;
  }

  /** Adds a node that asks about a column, and gives its position. */
  addSplit({ column, threshold, set, gapsLeft }: SplitNode): number {
    this.#column.push(column);
    this.#threshold.push(threshold);
    this.#set.push(set);
    this.#gapsLeft.push(gapsLeft ? 1 : 0);
    this.#left.push(-1);
    return this.#right.push(-1) - 1;
  }

  /** Adds a leaf, of which its position among the leaves is told. */
  addLeaf(leaf: number): number {
    const at = this.addSplit({ column: -1, threshold: 0, set: -1, gapsLeft: false });
    this.#left[at] = leaf;
    this.#right[at] = 0;
    return at;
  }

  /** Says which node is a child of another. */
  setChild(parent: number, side: "left" | "right", child: number): void {
    (side === "left" ? this.#left : this.#right)[parent] = child;
  }

  finish(): TreeNodes {
    return {
      column: Int32Array.from(this.#column),
      threshold: Float64Array.from(this.#threshold),
      set: Int32Array.from(this.#set),
      left: Int32Array.from(this.#left),
      right: Int32Array.from(this.#right),
      gapsLeft: Uint8Array.from(this.#gapsLeft),
    };
  }
}
