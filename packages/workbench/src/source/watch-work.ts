import type { Stage, WatchOptions } from "conformant";
import type { Reporter } from "./reporter.ts";

/** The library's stages, in words. */
const WORDS: Readonly<Record<Stage, string>> = {
  reading: "reading rows",
  training: "training",
  choosing: "choosing the size of the mixture",
  fitting: "fitting the mixture",
  completing: "training on incomplete rows",
  imputing: "filling gaps",
  predicting: "predicting",
  searching: "explaining",
  drawing: "drawing",
  planning: "planning questions",
};

/** Progress options for the library: `part` of `parts` pieces of work. */
export function watchWork(
  messages: Pick<Reporter, "progress" | "tried">,
  part = 0,
  parts = 1,
  what?: string,
): WatchOptions {
  return {
    onProgress: ({ stage, share, tried = [] }) => {
      if (tried.length > 0) messages.tried?.(tried);
      const sizes = [...new Set(tried.map(({ components }) => components))];
      const detail = sizes.length > 0 ? `tried ${sizes.join(", ")}` : undefined;
      messages.progress(what ?? WORDS[stage], part + share, parts, detail);
    },
  };
}
