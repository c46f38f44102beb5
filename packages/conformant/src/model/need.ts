import { ConformantError, show } from "../errors.ts";

/** Throws unless part `where` of a model file is what it must be. */
export function need(where: string, what: string, got: unknown, ok: boolean): void {
  if (!ok)
    throw new ConformantError("model-format", `the model file's ${where} must be ${what}, got ${show(got)}`, {
      value: got,
    });
}
