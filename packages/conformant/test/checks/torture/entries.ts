import { classifiers } from "./entries/classifiers.ts";
import { data } from "./entries/data.ts";
import type { Entry } from "./entries/entry.ts";
import { explanations } from "./entries/explanations.ts";
import { fits } from "./entries/fits.ts";
import { questions } from "./entries/questions.ts";
import { regressors } from "./entries/regressors.ts";
import { sets } from "./entries/sets.ts";
import { texts } from "./entries/texts.ts";
import { threads } from "./entries/threads.ts";
import { trees } from "./entries/trees.ts";

/** A torture for every function of the library, by its name. */
export const entries: Readonly<Record<string, Entry>> = {
  ...data,
  ...classifiers,
  ...fits,
  ...questions,
  ...regressors,
  ...explanations,
  ...sets,
  ...texts,
  ...threads,
  ...trees,
};
