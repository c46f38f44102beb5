import { programText } from "conformant-workbench/programs";
import type { Command } from "../options/command.ts";

/** A command that prints a program in another language, which writes classifiers for `fit --classifier`. */
function createProgramCommand(name: "python" | "r", file: string, summary: string): Command {
  return {
    name,
    summary,
    arguments: [],
    options: {},
    example: `conformant ${name} > ${file}`,
    staysOnMain: true,
    run: async (_, { print }) => print(programText(name).trimEnd()),
  };
}

export const programs: readonly Command[] = [
  createProgramCommand(
    "python",
    "conformant_export.py",
    "print a Python file that writes classifiers of scikit-learn and statsmodels for fit --classifier",
  ),
  createProgramCommand(
    "r",
    "conformant_export.R",
    "print an R file that writes classifiers of glm, multinom, glmnet and ranger for fit --classifier",
  ),
];
