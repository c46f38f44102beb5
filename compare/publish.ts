import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { comparisonPage, type OtherResults } from "./page.ts";

export const RESULTS = "compare/RESULTS.md";
export const OVERVIEW = "docs/comparison.md";
const FOLDER = "compare/results";

/** The other comparisons, in the order of the overview. */
const OTHERS = ["columns", "column-numbers", "real", "honesty", "regression", "intervals"];

/** Prints the results of another comparison, or writes them and their part of the overview. */
export function publish(name: string, lines: readonly string[], asFile: boolean): void {
  const page = `${lines.join("\n")}\n`;
  if (!asFile) {
    console.log(page);
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/${name}.md`, page);
  writeFileSync(OVERVIEW, comparisonPage(readFileSync(RESULTS, "utf8"), otherResults()));
}

/** The published pages of the other comparisons. */
export function otherResults(): OtherResults[] {
  const found = OTHERS.map((name) => ({ name, file: `${FOLDER}/${name}.md` }));
  return found
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, page: readFileSync(file, "utf8") }));
}
