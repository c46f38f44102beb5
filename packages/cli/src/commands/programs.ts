import { programText } from "conformant-workbench/programs";
import type { Command } from "../options/command.ts";

/** A command that prints a program in another language, which exports classifiers for `fit --classifier`. */
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
    "print Python code that saves scikit-learn and statsmodels models",
  ),
  createProgramCommand(
    "r",
    "conformant_export.R",
    "print R code that saves lm, glm, multinom, glmnet and ranger models",
  ),
];
