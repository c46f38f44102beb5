import { expect, test } from "vitest";
import { readText } from "../repository.ts";

const page = readText("docs/troubleshooting.md");

/** The codes in the first cells of the table below a heading. */
function documentedUnder(heading: string): string[] {
  const [, section = ""] = page.split(`## ${heading}\n`);
  const cells = Array.from(section.split("\n## ")[0].matchAll(/^\| (`.*?) \|/gm), ([, cell]) => cell);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([a-z-]+)`/g), ([, code]) => code)).sort();
}

/** The members of a union of texts in a source file. */
function codesOf(file: string, type: string): string[] {
  const [, union = ""] = readText(file).split(`export type ${type} =`);
  return Array.from(union.split(";")[0].matchAll(/"([a-z-]+)"/g), ([, code]) => code).sort();
}

test.each([
  ["Errors of the command", "packages/cli/src/errors.ts", "CliErrorCode"],
  ["Errors of the library", "packages/conformant/src/errors.ts", "ErrorCode"],
])("%s are those of the source", (heading, file, type) => {
  const codes = codesOf(file, type);
  expect(codes.length).toBeGreaterThan(10);
  expect(documentedUnder(heading)).toEqual(codes);
});
