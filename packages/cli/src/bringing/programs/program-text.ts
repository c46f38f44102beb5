import { readFileSync } from "node:fs";

/** The programs that write classifiers in other languages, by the command that prints them, and the parts that they are made of. */
const programs = {
  python: ["head", "features", "steps", "sums", "statsmodels", "trees"].map((part) => `exporter-${part}.py`),
  r: ["conformant_export.R"],
} as const;

/** A program as one file; its parts stand beside this file, in the sources and in a build. */
export function programText(language: keyof typeof programs): string {
  const parts = programs[language].map((name) =>
    readFileSync(new URL(`./${name}`, import.meta.url), "utf8").trim(),
  );
  return `${parts.join("\n\n\n")}\n`;
}
