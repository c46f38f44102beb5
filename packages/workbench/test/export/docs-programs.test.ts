import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { fixture, importedClassifier } from "./support/fixtures.ts";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/use-it-from.md", import.meta.url)), "utf8");
const place = new Workplace();

/** The blocks of a language on the page. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}[^\n]*\n(.*?)\`\`\``, "gs"))].map(
    ([, program]) => program,
  );
}

test.skipIf(spawnSync("Rscript", ["-e", "library(nnet)"]).status !== 0)(
  "the lines of R write tables that are read",
  () => {
    const [glm, multinom] = blocks("r").filter((program) => program.includes("write.csv("));
    const script = `
data <- read.csv("table.csv", stringsAsFactors = TRUE)
labels <- read.csv("labels.csv", stringsAsFactors = TRUE)
data$y <- labels$two
data$species <- labels$seven
${glm}
${multinom}`;
    for (const name of ["table.csv", "labels.csv"]) place.write(name, fixture(name));
    const { status, stderr } = spawnSync("Rscript", ["-e", script], { cwd: place.folder, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const read = (name: string) => importedClassifier(name, readFileSync(place.path(name)));
    expect(read("glm.csv").classes).toEqual(["0", "1"]);
    expect(read("multinom.csv").classes).toEqual(["ant", "bee", "cat's", 'd"og', "eel", "fox", "gnu"]);
  },
);
