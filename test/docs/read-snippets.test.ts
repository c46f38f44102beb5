import { expect, test } from "vitest";
import { readSnippets as readPage } from "./read-snippets.ts";

const readSnippets = (markdown: string) => readPage("page.md", markdown);
const fence = "```";
const block = (info: string, text: string) => `${fence}${info}\n${text}\n${fence}\n`;

test("a text block that follows directly is the expected output", () => {
  const [snippet] = readSnippets(`# Page\n\n${block("ts", "console.log(1)")}\n${block("text", "1")}`);
  expect(snippet).toMatchObject({ language: "ts", line: 3, program: "console.log(1)", expectedOutput: "1" });
});

test("a text block after a sentence is not the expected output", () => {
  const [snippet] = readSnippets(`${block("sh", "ls")}\nFiles look like this:\n\n${block("text", "a.csv")}`);
  expect(snippet.expectedOutput).toBeUndefined();
});

test("consecutive blocks are separate programs", () => {
  const snippets = readSnippets(block("ts", "const a = 1;") + block("ts", "const a = 2;"));
  expect(snippets.map(({ program }) => program)).toEqual(["const a = 1;", "const a = 2;"]);
});

test("a block inside a list loses the indentation of the list and no more", () => {
  const [snippet] = readSnippets("- item\n\n  ```sh\n  if true; then\n    ls\n  fi\n  ```\n");
  expect(snippet.program).toBe("if true; then\n  ls\nfi");
});

test("a block shown inside a longer fence is not a program", () => {
  expect(readSnippets(`${fence}\`md\n${block("ts", "x")}${fence}\`\n`)).toEqual([]);
});

test("a program that is not run says why", () => {
  const [snippet] = readSnippets(block("sh no-run: needs a database", "psql"));
  expect(snippet.notRunBecause).toBe("needs a database");
  expect(() => readSnippets(block("sh no-run", "psql"))).toThrow("no-run: reason");
  expect(() => readSnippets(block("sh no-run:", "psql"))).toThrow("no-run: reason");
});

test("a program that needs another one names it", () => {
  const [snippet] = readSnippets(block("sh needs: Rscript", "Rscript score.R"));
  expect(snippet).toMatchObject({ needs: "Rscript", notRunBecause: undefined });
});

test("a block cannot escape by another name of its language", () => {
  expect(() => readSnippets(block("bash", "ls"))).toThrow("write `sh`");
});

test("a block that is not closed is an error", () => {
  expect(() => readSnippets(`${fence}ts\nconst a = 1;\n`)).toThrow("page.md:1: the code block is not closed");
});
