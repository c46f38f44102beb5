import { CliError, listed, quoted } from "../errors.ts";
import { closest } from "./closest.ts";

/** Throws unless the model has a column of this name; `who` begins the sentence: "--use names". */
export function requireModelColumn(who: string, name: string, names: readonly string[]): void {
  if (!names.includes(name)) throw unknownColumn(who, name, names);
}

/** The error for an unknown column, with the closest name of the model. */
export function unknownColumn(who: string, name: string, names: readonly string[]): CliError {
  const near = closest(name, names);
  return new CliError("unknown-column", `${who} ${quoted(name)}, but the model has only ${listed(names)}`, {
    hint: near && `did you mean ${quoted(near)}?`,
  });
}
