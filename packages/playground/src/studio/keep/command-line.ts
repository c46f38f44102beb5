import { GAP_TEXTS } from "conformant/texts";
import type { FitChoices } from "../work/messages.ts";

/** The command that makes the same model. */
export function commandLine(data: string, output: string, choices: FitChoices): string {
  const { label, kinds, exclude, gaps, decimal, header, model, seed } = choices;
  const types = Object.entries(kinds).map(([name, kind]) => `${name}=${kind}`);
  const words = [
    ["fit", data],
    ["--label", label],
    ...(model === "trees" ? [["--model", model]] : []),
    ...(types.length > 0 ? [["--type", types.join(",")]] : []),
    ...(exclude.length > 0 ? [["--exclude", exclude.join(",")]] : []),
    ...(gaps.length > 0 ? [["--na", [...GAP_TEXTS, ...gaps].join(",")]] : []),
    ...(decimal ? [["--decimal", decimal]] : []),
    ...(header === undefined ? [] : [["--header", header ? "yes" : "no"]]),
    ...(seed === 0 ? [] : [["--seed", String(seed)]]),
    ["-o", output],
  ].flat();
  return ["conformant", ...words.map(quote)].join(" ");
}

/** A word as a shell takes it. */
function quote(word: string): string {
  return /^[\w./=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
