import type { Evidence } from "../predictors/additive-evidence.ts";
import type { Goal } from "./goal.ts";

/** Which smallest set of the free features, together with all of the given ones, reaches the goal? */
export interface SearchProblem {
  readonly evidence: Evidence;
  readonly goal: Goal;
  /** Features that are in every set: the opposing ones, and those that must be used. */
  readonly given: readonly number[];
  /** Features to choose from, strongest first. */
  readonly free: readonly number[];
  /** Whether the time is over, after which the search stops with what it has proved. Asked between steps; may end the work. */
  readonly late: () => boolean;
}

/** What a search has found and what it has proved. */
export interface SearchResult {
  /** The smallest set found; undefined if no set reaches the goal or none was found. */
  readonly chosen: readonly number[] | undefined;
  /** No set of fewer features reaches the goal. Infinite if none at all does. */
  readonly lowerBound: number;
}
