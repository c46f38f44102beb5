import { type AnyModel, ConformantError, isRegression, loadAnyModel, type Model } from "conformant";
import { CliError, quoted } from "../errors.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";

/** Reads a model of classes; errors name the file. */
export function readModel(path: string, command: string): Model {
  const model = readAnyModel(path);
  if (!isRegression(model)) return model;
  const output = quoted(model.response.outputs[0]);
  throw new CliError(
    "invalid-argument",
    `${quoted(path)} predicts the number ${output}: ${command} expects a model of classes`,
  );
}

/** Reads a model file of either sort; errors name the file. */
export function readAnyModel(path: string): AnyModel {
  return parseAnyModel(readTextFile(path), path);
}

/** Parses the text of a model file of either sort; errors name the file. */
export function parseAnyModel(text: string, path: string): AnyModel {
  try {
    return loadAnyModel(text);
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
    return "this looks like a classifier; turn it into a model with conformant fit DATA --classifier FILE";
  return text.trimStart().startsWith("{") ? undefined : "the model comes first, then the data";
}
