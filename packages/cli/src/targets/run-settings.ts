import { createHash } from "node:crypto";
import { type AnyModel, saveCalibration, saveModel } from "conformant";
import type { AddedRequest } from "conformant-workbench";
import type { SourceOptions } from "../sources/source-options.ts";

/** The settings that determine the results of a run, besides the rows; long ones as a hash. */
export function runSettings(
  model: AnyModel,
  source: string,
  { sql, where, since, oneHot, gaps }: SourceOptions,
  keep: readonly string[],
  added: AddedRequest,
): Record<string, string> {
  return {
    model: hash(saveModel(model)),
    source: source.replace(/(:\/\/)[^@/]*@/, "$1"), // for any user
    query: hash(JSON.stringify([sql, where, since, ...(oneHot ? [oneHot] : [])])),
    columns: JSON.stringify(keep),
    gaps: JSON.stringify(gaps),
    added: JSON.stringify({
      ...added,
      sets: added.sets && { ...added.sets, calibration: hash(saveCalibration(added.sets.calibration)) },
    }),
  };
}

/** The default name of a run: the same settings give the same name. */
export function runOf(settings: Readonly<Record<string, string>>): string {
  return hash(JSON.stringify(settings)).slice(0, 16);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
