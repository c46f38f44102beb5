import type { Panel } from "../report/figures.ts";

/** What a study is given. */
export interface StudyRequest {
  readonly data: string | undefined;
  readonly seed: number;
  /** Where results/ and figures/ are. */
  readonly out: string;
  readonly progress: (line: string) => void;
}

/** An experiment with a section of its own in RESULTS.md; R is what it stores. */
export interface Study<R> {
  /** A line for the help. */
  readonly about: string;
  /** The datasets it uses. */
  readonly datasets: readonly string[];
  readonly run: (request: StudyRequest) => R;
  /** What to print of the results where they are not asked for as JSON. */
  readonly words?: (results: R) => readonly string[];
  readonly section: (results: R) => readonly string[];
  /** Figures that the section shows, drawn from the results. */
  readonly panels?: (results: R) => readonly Panel[];
}
