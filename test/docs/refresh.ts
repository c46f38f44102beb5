// Runs the programs of all pages, or of those named, and writes what they print into the `text` blocks after them.
// Look at the difference before committing it.
//
//   npm run docs:refresh [-- docs/cli.md]

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentationPages, readText, root } from "../repository.ts";
import { readSnippets } from "./read-snippets.ts";
import { Workshop } from "./workshop.ts";

const named = process.argv.slice(2);
const workshop = new Workshop();
for (const page of named.length > 0 ? named : documentationPages()) {
  const before = readText(page);
  let after = before;
  for (const snippet of readSnippets(page, before)) {
    if (snippet.notRunBecause) continue;
    const { status, stdout, stderr } = workshop.run(page, snippet);
    if (status !== 0) throw new Error(`${page}:${snippet.line}: ${stderr}`);
    if (snippet.expectedOutput !== undefined) after = replaceOutput(after, snippet, stdout.trimEnd());
  }
  if (after === before) continue;
  writeFileSync(join(root, page), after);
  console.log(`${page} changed`);
}
workshop.close();

/** Replaces the output after a program; both are looked for together, since an output may occur twice. */
function replaceOutput(
  page: string,
  { program, expectedOutput = "" }: { program: string; expectedOutput: string | undefined },
  output: string,
): string {
  const from = page.indexOf(program);
  const at = page.indexOf(`\`\`\`text\n${expectedOutput}`, from);
  if (from < 0 || at < 0) throw new Error(`indented block: write its output by hand:\n${output}`);
  const start = at + "```text\n".length;
  return page.slice(0, start) + output + page.slice(start + expectedOutput.length);
}
