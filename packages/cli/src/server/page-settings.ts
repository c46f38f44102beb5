import type { Model, Questionnaire } from "conformant";
import { type Labels, readLabels } from "./read-labels.ts";
import { readQuestionnaire } from "./read-questionnaire.ts";

/** How a model is shown. */
export interface PageOptions {
  /** A line above the form. */
  readonly title?: string | undefined;
  /** A JSON file of what people call columns, values and classes. */
  readonly labels?: string | undefined;
  /** A JSON file of questions to follow. */
  readonly questionnaire?: string | undefined;
}

/** The file `page.json`, which the page reads first. */
export interface PageSettings {
  readonly title?: string;
  readonly labels?: Labels;
  readonly questionnaire?: Questionnaire;
  /** The page finds calibration rows in `calibration.json`. */
  readonly calibration?: true;
}

/**
 * Reads the files that the options name and checks them against the model.
 *
 * @param calibrated whether the page gets calibration rows
 */
export function pageSettings(model: Model, options: PageOptions, calibrated: boolean): PageSettings {
  const { title, labels, questionnaire } = options;
  return {
    ...(title !== undefined && { title }),
    ...(labels !== undefined && { labels: readLabels(labels, model) }),
    ...(questionnaire !== undefined && { questionnaire: readQuestionnaire(questionnaire, model) }),
    ...(calibrated && { calibration: true as const }),
  };
}
