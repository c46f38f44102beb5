import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { hasPython } from "../../../workbench/test/export/support/python.ts";
import { prepareJobs } from "../support/interrupt-at-random.ts";
import { bin } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const program = fileURLToPath(new URL("../support/in_terminal.py", import.meta.url));
const place = new Workplace();
beforeAll(() => prepareJobs(place));

interface Shown {
  readonly status: number;
  readonly shown: string;
}

/** Types keys into a terminal after so many seconds, and gives back what was to be seen. */
function inTerminal(columns: number, keys: string, after: number, words: readonly string[]): Shown {
  const { stdout, stderr } = spawnSync(
    "/usr/bin/python3",
    [program, String(columns), keys, String(after), process.execPath, bin, ...words],
    { cwd: place.folder, env: { ...process.env, TERM: "xterm", NO_COLOR: "1" }, encoding: "utf8" },
  );
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout) as Shown;
}

/** The texts that stood in the line of progress below the notes, one after the other; NO_COLOR has them overwritten with blanks. */
function progressLines(shown: string): string[] {
  const notes = /^(?:note: .*\r\n)*/;
  return shown
    .replace(notes, "")
    .split(/\r *\r(?!\n)/)
    .slice(0, -1)
    .filter((text) => text !== "");
}

const EVALUATE = [
  "evaluate",
  "model.json",
  "penguins.csv",
  "--label",
  "species",
  "--against",
  "knn,mice",
  "--repeats",
  "2000",
  "--allow-training-rows",
];

test.skipIf(!hasPython("pty")).each([80, 24])(
  "a terminal of %i columns shows how far the work is, in one line, and Ctrl-C ends it",
  { timeout: 60_000 },
  (columns) => {
    const { status, shown } = inTerminal(columns, "\\x03", 4, [...EVALUATE, "--report", "report.html"]);
    expect([130, -2]).toContain(status);
    expect(shown).not.toContain("\u001b");
    const lines = progressLines(shown);
    expect(lines.some((line) => /^(evaluating|learning mice) .* \d+ %/.test(line))).toBe(true);
    for (const line of lines) expect(line.length).toBeLessThan(columns);
    expect(shown).toMatch(/\r\nerror\[interrupted\]: stopped before the end; nothing was written\r\n$/);
    expect(readdirSync(place.folder).filter((name) => name.startsWith("report"))).toEqual([]);
  },
);

test.skipIf(!hasPython("pty"))("--quiet shows no progress", { timeout: 60_000 }, () => {
  const { status, shown } = inTerminal(80, "\\x03", 3, [...EVALUATE, "--quiet"]);
  expect([130, -2]).toContain(status);
  expect(shown).toBe("^C\r\nerror[interrupted]: stopped before the end; nothing was written\r\n");
});

test.skipIf(!hasPython("pty"))(
  "a conversation in a terminal can be had, and stopped by Ctrl-C",
  { timeout: 60_000 },
  () => {
    const words = ["ask", "model.json", "--given", "island=dream", "--interactive", "--threshold", "0.9"];
    const answered = inTerminal(80, "49.1\\r", 2, words);
    expect(answered.status).toBe(0);
    expect(answered.shown).toContain("The decision is safe");
    const stopped = inTerminal(80, "\\x03", 2, words);
    expect(stopped.status).toBe(130);
    expect(stopped.shown).toContain("error[interrupted]");
  },
);
