import { gapsSection } from "../report/sections/gaps-section.ts";
import type { Study } from "../studies/study.ts";
import { compareWays, type GapsResults } from "./compare-ways.ts";

/** What can be learned from training rows that have gaps themselves. */
export const gapsStudy: Study<GapsResults> = {
  datasets: ["adult", "splice"],
  about: "past the paper: 30 % of the training cells hidden",
  run: ({ data, seed, progress }) => compareWays(data, seed, progress),
  section: gapsSection,
};
