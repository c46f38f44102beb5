import { afterAll, describe, expect, test } from "vitest";
import { documentationPages, readText } from "../repository.ts";
import { readSnippets } from "./read-snippets.ts";
import { Workshop } from "./workshop.ts";

const pages = documentationPages()
  .map((page) => ({ page, snippets: readSnippets(page, readText(page)) }))
  .filter(({ snippets }) => snippets.length > 0);
const timeout = 90_000; // longer than a program's own time limit, so that its output is still shown

const workshop = new Workshop();
afterAll(() => workshop.close());

for (const { page, snippets } of pages) {
  describe(page, () => {
    let lacks: string | undefined; // what a program of the page could not do without; those after it need its files
    for (const snippet of snippets) {
      const { language, line, expectedOutput, notRunBecause, needs } = snippet;
      const claim = expectedOutput === undefined ? "runs" : "prints what the page shows";
      test(`the ${language} program on line ${line} ${claim}`, { timeout }, (context) => {
        if (notRunBecause ?? lacks) context.skip(notRunBecause ?? lacks);
        if (needs && !workshop.has(needs)) context.skip(`needs ${needs}`);
        const { status, stdout, stderr } = workshop.run(page, snippet);
        if (language === "py") lacks = /ModuleNotFoundError: (.*)/.exec(stderr)?.[1];
        if (lacks) context.skip(lacks);
        expect(status, stderr).toBe(0);
        if (expectedOutput !== undefined) expect(stdout.trimEnd()).toBe(expectedOutput.trimEnd());
      });
    }
  });
}

test("the TypeScript programs of all pages pass the type checker", { timeout }, (context) => {
  const programs = pages.flatMap(({ page, snippets }) =>
    snippets
      .filter(({ language, notRunBecause }) => language === "ts" && !notRunBecause)
      .map((snippet) => workshop.place(page, snippet)),
  );
  if (programs.length === 0) context.skip("no page has a TypeScript program");
  const { status, stdout } = workshop.checkTypes();
  expect(status, stdout).toBe(0);
});
