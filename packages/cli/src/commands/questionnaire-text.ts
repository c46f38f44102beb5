import type { Questionnaire } from "conformant";
import { branchInWords } from "conformant/internal";
import { roundPercent } from "conformant-workbench";

/** A questionnaire as indented lines: a question, and below it where each answer leads and how often. */
export function questionnaireText(questionnaire: Questionnaire): string {
  return linesOf(questionnaire, "", "").join("\n");
}

function linesOf(node: Questionnaire, indent: string, answer: string): string[] {
  const { prediction, probability, share, question } = node;
  const often = answer === "" ? "" : ` (${roundPercent(share)})`;
  const said = `${indent}${answer}${often}${answer === "" ? "" : ": "}${prediction} ${probability.toFixed(2)}`;
  if (!question) return [said];
  const below = question.branches.flatMap((branch) =>
    linesOf(branch.next, `${indent}  `, branchInWords(branch)),
  );
  return [`${said}, ask ${question.column}`, ...below];
}
