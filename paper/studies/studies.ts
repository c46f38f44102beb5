import { claimsStudy } from "../claims/claims-study.ts";
import { explainStudy } from "../explain/explain-study.ts";
import { gapsStudy } from "../gaps/gaps-study.ts";
import { numericStudy } from "../numeric/numeric-study.ts";
import { regressionStudy } from "../regression/regression-study.ts";
import { treesStudy } from "../trees/trees-study.ts";
import { type AnyStudy, anyStudy } from "./any-study.ts";

export const STUDY_NAMES = ["explain", "claims", "gaps", "numeric", "trees", "regression"] as const;

export type StudyName = (typeof STUDY_NAMES)[number];

/** The studies by name, in the order of their sections in RESULTS.md; each stores results/<name>.json. */
export const STUDIES: Readonly<Record<StudyName, AnyStudy>> = {
  explain: anyStudy(explainStudy),
  claims: anyStudy(claimsStudy),
  gaps: anyStudy(gapsStudy),
  numeric: anyStudy(numericStudy),
  trees: anyStudy(treesStudy),
  regression: anyStudy(regressionStudy),
};
