import { GAP_TEXTS } from "conformant/texts";
import { USUAL_TRAINING } from "conformant-workbench";
import { type MadeModel, PATIENCE } from "../study.ts";

/** The command that makes the same model. */
export function commandLine(
  data: string,
  output: string,
  { choices, report }: Pick<MadeModel, "choices" | "report">,
): string {
  const { label, kinds, exclude, gaps, decimal, header, model, seed } = choices;
  const mayBeCut = report.seconds > USUAL_TRAINING.timeLimit / 2;
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
    ...(mayBeCut ? [["--time-limit", String(PATIENCE)]] : []),
    ["-o", output],
  ].flat();
  return shellLine(words);
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
