import { ConformantError, requireList, show } from "../errors.ts";

/** The most likely class, and the classes it is tied with. */
export interface Decision {
  /** Position of the class. */
  readonly class: number;
  /** Positions of all classes that share the highest score, where they are several; else empty. */
  readonly tied: readonly number[];
}

/** Probabilities that differ by no more than this are tied, wherever a decision is made. */
export const TIE = 1e-12;

/**
 * The class with the highest probability or score; those that are less by no more than {@link TIE} are tied with it. A tie goes
 * to the last of the tied classes: with two classes, F = ½ is a decision for the second, as in the paper (F ≥ ½).
 */
export function decide(scores: ArrayLike<number>): Decision {
  requireList("scores", scores);
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) {
    if (typeof scores[k] !== "number") throw noScores(scores[k]);
    if (scores[k] > most) most = scores[k];
  }
  const tied: number[] = [];
  for (let k = 0; k < scores.length; k++) if (scores[k] >= most - TIE) tied.push(k);
  if (tied.length === 0) throw noScores(scores);
  return { class: tied[tied.length - 1], tied: tied.length > 1 ? tied : [] };
}

function noScores(value: unknown): ConformantError {
  const message = `scores must be numbers, one or more, got ${show(value)}`;
  return new ConformantError("invalid-argument", message, { argument: "scores", value });
}

/** Whether probabilities lead to another decision than class `now`; where that is tied it stays. */
export function isAnother(probabilities: ArrayLike<number>, now: number): boolean {
  const decision = decide(probabilities);
  return decision.class !== now && !decision.tied.includes(now);
}
