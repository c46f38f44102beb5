/** The most likely class, and the classes it is tied with. */
export interface Decision {
  /** Position of the class. */
  readonly class: number;
  /** Positions of all classes that share the highest score, where they are several; else empty. */
  readonly tied: readonly number[];
}

/**
 * The class with the highest probability or score; scores that differ by no more than `rounding` are tied. A tie goes to
 * the last of the tied classes: with two classes, F = ½ is a decision for the second, as in the paper (F ≥ ½).
 */
export function decide(scores: ArrayLike<number>, rounding = 0): Decision {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) if (scores[k] > most) most = scores[k];
  const tied: number[] = [];
  for (let k = 0; k < scores.length; k++) if (scores[k] >= most - rounding) tied.push(k);
  return { class: tied[tied.length - 1], tied: tied.length > 1 ? tied : [] };
}
