import { appendFileSync, existsSync, truncateSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { saveModel } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { watchFiles } from "../../src/sources/files/watch-files.ts";
import { fitQuickly } from "../support/fit-in-process.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const [model, output] = [place.path("m.json"), place.path("out.csv")];
const ROWS = `x,y\n${Array.from({ length: 2000 }, (_, r) => `${r % 8},${r % 8 > 3 ? "b" : "a"}\n`).join("")}`;
const LINES = Array.from({ length: 2000 }, (_, r) => `{"x":${r % 8}}\n`).join("");

beforeAll(async () => {
  const { model: fitted } = await fitQuickly(place.write("fit.csv", ROWS), { label: "y" });
  place.write("m.json", saveModel(fitted));
});

describe("NUL bytes at the end or in the midst of a text file are an error that leaves no output", () => {
  const nuls = Buffer.alloc(3_000_000);
  test.each([
    ["tail.csv", Buffer.concat([Buffer.from(ROWS), nuls])],
    ["short.csv", Buffer.concat([Buffer.from(ROWS), Buffer.alloc(1)])],
    [
      "late.csv",
      Buffer.concat([Buffer.from("x\n"), Buffer.from("1\n".repeat(2_000_000)), nuls.subarray(0, 4096)]),
    ],
    [
      "middle.csv",
      Buffer.concat([
        Buffer.from("x\n"),
        Buffer.from("1\n".repeat(1_000_000)),
        nuls.subarray(0, 512),
        Buffer.from("\n2\n"),
      ]),
    ],
    ["tail.jsonl", Buffer.concat([Buffer.from(LINES), nuls])],
    ["tail.csv.gz", gzipSync(Buffer.concat([Buffer.from(ROWS), nuls]))],
    [
      "late.csv.gz",
      gzipSync(Buffer.concat([Buffer.from("x\n"), Buffer.from("1\n".repeat(2_000_000)), nuls])),
    ],
  ])("%s", async (name, bytes) => {
    place.write(name, bytes);
    const { status, said } = await runInProcess(["predict", model, place.path(name), "-o", output]);
    expect(status, said).toBe(1);
    expect(said).toMatch(/error\[csv\]: .*line \d+: the file has NUL characters/);
    expect(said).toContain(name);
    expect(existsSync(output)).toBe(false);
  });
});

test("a file that grows, is cut, replaced or removed since it was opened is told, one that stays is not", () => {
  const path = place.write("watched.csv", ROWS);
  watchFiles([path], String)();
  for (const change of [
    () => appendFileSync(path, "1,a\n"),
    () => truncateSync(path, 100),
    () => place.write("watched.csv", ROWS.replace("1,a", "2,a")),
  ]) {
    place.write("watched.csv", ROWS);
    const requireUnchanged = watchFiles([path], String);
    change();
    expect(requireUnchanged).toThrow(/watched\.csv" changed while it was read: it had \d+ bytes before/);
  }
});

test.each([
  ["by the engine", "out.csv"],
  ["here", "out.jsonl"],
])("a file that grows while it is predicted %s is an error that leaves no output", async (_, name) => {
  const path = place.write("grows.csv", `x\n${"1\n".repeat(400_000)}`);
  const writing = setInterval(() => appendFileSync(path, "1\n"), 1);
  const { status, said } = await runInProcess(["predict", model, path, "-o", place.path(name)]);
  clearInterval(writing);
  expect(said).toMatch(/error\[changed-data\]: .*grows\.csv" changed while it was read/);
  expect(status).toBe(1);
  expect(existsSync(place.path(name))).toBe(false);
});
