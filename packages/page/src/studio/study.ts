import type { FitChoices, FitReport, StudyEvaluation, StudyFile } from "../worker/study-messages.ts";

export type Step = "data" | "question" | "fit" | "evaluate" | "use" | "save";

/** A fitted model with its report and evaluation. */
export interface MadeModel {
  /** The settings it was fitted with. */
  readonly choices: FitChoices;
  /** The file of the imported classifier. */
  readonly imported?: StudyFile | undefined;
  readonly text: string;
  readonly report: FitReport;
  readonly results?: StudyEvaluation | undefined;
}

/** The state of the studio, which survives a reload. */
export interface Study {
  readonly step: Step;
  readonly file?: StudyFile | undefined;
  /** The file of the imported classifier. */
  readonly imported?: StudyFile | undefined;
  readonly choices: FitChoices;
  readonly made?: MadeModel | undefined;
  /** The previous study, kept until a model is fitted to the new file, so that opening a wrong file can be undone. */
  readonly before?: Omit<Study, "before"> | undefined;
}

/** The initial state. */
export const NEW_STUDY: Study = {
  step: "data",
  choices: {
    kinds: {},
    exclude: [],
    gaps: [],
    model: "auto",
    names: { columns: [], classes: [], categories: [] },
    seed: 0,
  },
};
