import { MISSING_TEXTS } from "conformant/texts";
import { writeList } from "conformant-workbench";
import type { MadeModel } from "./study.ts";

/** The command that makes the same model. */
export function commandLine(
  data: string,
  output: string,
  { choices, imported }: Pick<MadeModel, "choices" | "imported">,
): string {
  const { label, kinds, exclude, gaps, decimal, header, encoding, sheet, model, names, task, seed } = choices;
  const types = Object.entries(kinds).map(([name, kind]) => `${name}=${kind}`);
  const words = [
    ["fit", data],
    imported ? named("classifier", imported.name) : named("label", label ?? ""),
    ...(imported ? Object.entries(names).flatMap(([what, list]) => option(what, list)) : []),
    ...(model === "logistic" || model === "trees" ? [["--model", model]] : []),
    ...(task === undefined || imported ? [] : [["--task", task]]),
    ...option("type", types),
    ...option("exclude", imported ? [] : exclude),
    ...option("na", gaps.length > 0 ? [...MISSING_TEXTS, ...gaps] : []),
    ...(decimal ? [["--decimal", decimal]] : []),
    ...(header === undefined ? [] : [["--header", header ? "yes" : "no"]]),
    ...(sheet === undefined ? [] : [named("sheet", sheet)]),
    ...(encoding === undefined ? [] : [named("encoding", encoding)]),
    ...(seed === 0 ? [] : [["--seed", String(seed)]]),
    ["-o", output],
  ].flat();
  return shellLine(words);
}

/** An option with a list, where there is one. */
function option(name: string, list: readonly string[]): string[][] {
  return list.length > 0 ? [named(name, writeList(list, ","))] : [];
}

/** An option with its value; one that looks like an option itself is tied to it. */
function named(name: string, value: string): string[] {
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** The command that writes a model file for another system. */
export function exportLine(model: string, format: string, output: string): string {
  return shellLine(["export", model, "--to", format, "-o", output]);
}

function shellLine(words: readonly string[]): string {
  return ["conformant", ...words.map(quote)].join(" ");
}

/** A word as a shell takes it. */
function quote(word: string): string {
  return /^[\w./=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
