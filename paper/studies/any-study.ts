import type { Study } from "./study.ts";

/** A study whose results only it can read. */
export type AnyStudy = Study<unknown>;

/** Forgets the type of a study's results: what it stored is given back to none but itself. */
export function anyStudy<R>({ about, datasets, run, words, section, panels }: Study<R>): AnyStudy {
  return {
    about,
    datasets,
    run,
    ...(words && { words: (results: unknown) => words(results as R) }),
    section: (results: unknown) => section(results as R),
    ...(panels && { panels: (results: unknown) => panels(results as R) }),
  };
}
