import type { BoostingLoss } from "./loss.ts";
import type { GrownNode, TreeGrower } from "./tree-grower.ts";

/** The parts that all boosting runs on a table share. */
export interface BoostingGround {
  readonly grower: TreeGrower;
  readonly loss: BoostingLoss;
  /** Rows of the table. */
  readonly rows: number;
}

/** A boosting run: each step adds a tree per sum, trained on the gradients and curvatures of the loss. */
export class Boosting {
  /** The initial sums: S numbers. */
  readonly base: Float64Array;
  readonly #ground: BoostingGround;
  readonly #train: Int32Array;
  readonly #held: Int32Array;
  readonly #S: number;
  /** Rows × S. */
  readonly #scores: Float64Array;
  readonly #grown: GrownNode[] = [];

  /**
   * @param train the rows to train on
   * @param held the rows to evaluate the loss on
   */
  constructor(ground: BoostingGround, train: Int32Array, held: Int32Array) {
    const { loss, rows } = ground;
    this.#ground = ground;
    this.#train = train;
    this.#held = held;
    this.#S = loss.sums;
    this.base = loss.base(train);
    this.#scores = new Float64Array(rows * this.#S);
    for (const some of [train, held]) for (const r of some) this.#scores.set(this.base, r * this.#S);
  }

  /** How many steps have been made. */
  get steps(): number {
    return this.#grown.length / this.#S;
  }

  /** The trees of the first steps. */
  trees(steps: number): GrownNode[] {
    return this.#grown.slice(0, steps * this.#S);
  }

  /** Makes a step. Returns whether any tree has a split. */
  step(): boolean {
    const { loss, grower } = this.#ground;
    const [train, S, scores] = [this.#train, this.#S, this.#scores];
    loss.prepare(scores, train);
    let grew = false;
    for (let s = 0; s < S; s++) {
      loss.derive(s, train, grower.derivatives);
      const tree = grower.grow(train, this.#held);
      grower.addValues(scores, S, s);
      this.#grown.push(tree);
      if (tree.split) grew = true;
    }
    return grew;
  }

  /** Σ weight · loss of the rows that are held out. */
  heldLoss(): number {
    return this.#ground.loss.total(this.#scores, this.#held);
  }

  /** Weight · loss of each of the rows that are held out. */
  heldLosses(): Float64Array {
    const { loss } = this.#ground;
    return Float64Array.from(this.#held, (r) => loss.total(this.#scores, Int32Array.of(r)));
  }
}
