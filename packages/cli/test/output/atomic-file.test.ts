import { chmodSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { writeAtomically } from "../../src/output/atomic-file.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();

test("a symbolic link stays one, and what it leads to is written, whether it was there or not", () => {
  symlinkSync("second", place.path("first"));
  symlinkSync(place.path("file"), place.path("second"));
  for (const text of ["new", "newer"]) {
    writeAtomically(place.path("first"), text);
    expect(readFileSync(place.path("file"), "utf8")).toBe(text);
  }
  for (const name of ["first", "second"]) expect(lstatSync(place.path(name)).isSymbolicLink()).toBe(true);
  expect(readdirSync(place.folder).filter((name) => name.includes("partial"))).toEqual([]);
});

test("a file that takes the place of another keeps its mode, also where it was read-only", () => {
  for (const mode of [0o600, 0o640, 0o444]) {
    const path = place.write(`mode-${mode}`, "old");
    chmodSync(path, mode);
    writeAtomically(path, "new");
    expect([readFileSync(path, "utf8"), lstatSync(path).mode & 0o777]).toEqual(["new", mode]);
  }
});

test.each([
  ["circle", /"[^"]*" could not be written: it is a link that leads back to itself$/],
  ["x".repeat(300), /could not be written: the name is too long$/],
  ["nowhere/file", /could not be written: there is no folder/],
])("%s cannot be written, in one line", (name, says) => {
  if (name === "circle") symlinkSync("circle", place.path("circle"));
  expect(() => writeAtomically(place.path(name), "text")).toThrow(says);
});
