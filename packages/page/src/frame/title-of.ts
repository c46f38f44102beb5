import type { LoadedPage } from "./load-page.ts";
import { namesOf } from "./names.ts";
import { spaced } from "./spaced.ts";
import { FRAME } from "./texts.ts";

/** The question that a page answers. */
export function titleOf({ settings, model }: Pick<LoadedPage, "settings" | "model">): string {
  if (model.response.kind === "number") {
    return settings.title ?? FRAME.whichNumber(namesOf(model, settings.labels).outcome);
  }
  const { label } = model.predictor;
  return settings.title ?? (label ? FRAME.which(spaced(label)) : FRAME.untitled);
}
