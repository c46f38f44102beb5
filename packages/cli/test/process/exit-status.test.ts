import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { readText } from "../../../../test/repository.ts";
import { QUICKEST, writePenguins } from "../support/fitted-penguins.ts";
import { conformantAlone, interrupt } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
beforeAll(() => {
  writePenguins(place, "model.json", ...QUICKEST);
  execFileSync("mkfifo", [place.path("pipe")]);
});

const ENDED: readonly (readonly [status: number, why: string, words: readonly string[]])[] = [
  [0, "success", ["inspect", "model.json"]],
  [1, "a file that does not exist", ["predict", "model.json", "absent.csv"]],
  [0, "a table before a fit", ["inspect", "penguins.csv"]],
  [1, "a file that is no model", ["predict", "penguins.csv", "penguins.csv"]],
  [2, "an unknown option", ["predict", "model.json", "penguins.csv", "--colour"]],
  [2, "an unknown command", ["forecast"]],
  [0, "no command, which prints the help", []],
];
const SIGNALED = [
  [130, "SIGINT"],
  [143, "SIGTERM"],
  [129, "SIGHUP"],
] as const;

test.each(ENDED)("the exit status is %i for %s", (status, _why, words) => {
  expect(conformantAlone(words, { cwd }).status).toBe(status);
});

/** The pipe, opened for writing, once somebody has opened it for reading. */
function openForReader(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

test.each(SIGNALED)("the exit status is %i after %s", async (status, signal) => {
  // Nothing is written to the pipe, and it stays open, so that the command waits for its input.
  let writer: number | undefined;
  const ready = (): boolean => {
    writer ??= openForReader(place.path("pipe"));
    return writer !== undefined;
  };
  const told = await interrupt(["predict", "model.json", "pipe"], { cwd }, ready, signal);
  if (writer !== undefined) closeSync(writer);
  expect(told.status).toBe(status);
  expect(told.stderr).toContain("error[interrupted]: stopped before the end");
});

test("the documentation lists these statuses and no other", () => {
  const [, section = ""] = readText("docs/troubleshooting.md").split("## Exit statuses\n");
  const rows = section.split("\n## ")[0].matchAll(/^\| ([\d, ]+) \|/gm);
  const documented = Array.from(rows, ([, cell]) => cell.split(", ").map(Number)).flat();
  expect(new Set(documented)).toEqual(new Set([...ENDED, ...SIGNALED].map(([status]) => status)));
});
