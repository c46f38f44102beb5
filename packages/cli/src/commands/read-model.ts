import { ConformantError, loadModel, type Model } from "conformant";
import { CliError, quoted } from "../errors.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";

/** Reads a model file; errors name the file. */
export function readModel(path: string): Model {
  const text = readTextFile(path);
  try {
    return loadModel(text);
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    throw new CliError(cause.code, `${quoted(path)}: ${cause.message}`, {
      hint: cause.details.hint ?? wrongFileHint(text),
      cause,
    });
  }
}

/** The most likely mistake: MODEL and DATA swapped, or a classifier in place of a model. */
function wrongFileHint(text: string): string | undefined {
  if (text.trimStart().startsWith("{") && text.slice(0, 10_000).includes('"features"'))
    return "this looks like a classifier; conformant fit DATA --classifier FILE makes a model of it";
  return text.trimStart().startsWith("{") ? undefined : "the model comes first, then the data";
}
