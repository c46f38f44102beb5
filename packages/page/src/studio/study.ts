import type { FitChoices, FitReport, StudyEvaluation, StudyFile } from "../worker/study-messages.ts";

export type Step = "data" | "question" | "fit" | "worth" | "use" | "keep";

/** A model and what is known of it. */
export interface MadeModel {
  /** What it was made with. */
  readonly choices: FitChoices;
  /** The classifier that was brought along. */
  readonly brought?: StudyFile | undefined;
  readonly text: string;
  readonly report: FitReport;
  readonly worth?: StudyEvaluation | undefined;
}

/** All that a person has done so far: what survives a reload. */
export interface Study {
  readonly step: Step;
  readonly file?: StudyFile | undefined;
  /** The classifier that is brought along. */
  readonly brought?: StudyFile | undefined;
  readonly choices: FitChoices;
  readonly made?: MadeModel | undefined;
  /** What was there when another file was taken, until a model is made of that: it may have been the wrong one. */
  readonly before?: Omit<Study, "before"> | undefined;
}

/**
 * Seconds that the search for a size may take. The command has a minute where nothing is said; a search that ends by itself comes to
 * the same size on both sides, so the page, which may be some times slower, waits longer. Who does not want to can cancel.
 */
export const PATIENCE = 600;

/** Where everybody begins. */
export const NEW_STUDY: Study = {
  step: "data",
  choices: {
    kinds: {},
    exclude: [],
    gaps: [],
    model: "logistic",
    names: { columns: [], classes: [], categories: [] },
    seed: 0,
  },
};
