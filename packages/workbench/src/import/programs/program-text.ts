/// <reference path="../../program-texts.d.ts" />
import { text as conformantExport } from "./conformant_export.R";
import { text as features } from "./exporter-features.py";
import { text as head } from "./exporter-head.py";
import { text as statsmodels } from "./exporter-statsmodels.py";
import { text as steps } from "./exporter-steps.py";
import { text as sums } from "./exporter-sums.py";
import { text as trees } from "./exporter-trees.py";

/** The programs that export classifiers from other languages, by the command that prints them, and their parts. */
const programs = {
  python: [head, features, steps, sums, statsmodels, trees],
  r: [conformantExport],
} as const;

/** A program as one file. */
export function programText(language: keyof typeof programs): string {
  return `${programs[language].map((part) => part.trim()).join("\n\n\n")}\n`;
}
