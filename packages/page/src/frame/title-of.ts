import type { LoadedPage } from "./load-page.ts";
import { NAMELESS, namesOf } from "./names.ts";
import { spaced } from "./spaced.ts";
import { FRAME } from "./texts.ts";

/** A class that says whether something is so. */
const TRUTH = /^(?:yes|no|true|false|[yntf01])$/i;

/** The question that a page answers. */
export function titleOf({ settings, model }: Pick<LoadedPage, "settings" | "model">): string {
  if (model.response.kind === "number") {
    return settings.title ?? FRAME.whichNumber(namesOf(model, settings.labels).outcome);
  }
  const { label } = model.predictor;
  if (settings.title !== undefined || !label) return settings.title ?? FRAME.untitled;
  const isWhether = !NAMELESS.test(label) && model.response.outputs.every((name) => TRUTH.test(name));
  return (isWhether ? FRAME.whether : FRAME.which)(spaced(label));
}
