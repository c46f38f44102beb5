import { type AnyModel, loadAnyModel, type Questionnaire } from "conformant";
import type { Labels } from "./names.ts";
import { readPageFile } from "./page-files.ts";

/** The file `page.json` beside the page: how the model is shown. */
export interface PageSettings {
  /** There is no model yet: the page makes one. */
  readonly studio?: boolean;
  readonly title?: string;
  /** What the model is called. */
  readonly name?: string;
  /** The least and the largest number of columns, where they are known: what is beyond them is warned of. */
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  /** What people call columns, values and classes. */
  readonly labels?: Labels;
  /** Questions to be followed one by one. */
  readonly questionnaire?: Questionnaire;
  /** There is a file `calibration.json` of cases whose answer is known. */
  readonly calibration?: boolean;
}

/** Everything the page needs. */
export interface LoadedPage {
  readonly settings: PageSettings;
  readonly model: AnyModel;
  /** The model file, for the worker. */
  readonly modelText: string;
  /** The calibration file, where there is one. */
  readonly calibrationText?: string | undefined;
}

/** Reads the settings and, where there is one, the model from beside the page: from `conformant serve`, or from plain files. */
export async function loadPage(token: string): Promise<LoadedPage | "studio"> {
  const headers: HeadersInit = token === "" ? {} : { Authorization: `Bearer ${token}` };
  const settings = JSON.parse(await readPageFile("page.json", headers)) as PageSettings;
  if (settings.studio) return "studio";
  const modelText = await readPageFile("model.json", headers);
  const calibrationText = settings.calibration ? await readPageFile("calibration.json", headers) : undefined;
  return { settings, model: loadAnyModel(modelText), modelText, calibrationText };
}
