import { expect, test } from "vitest";
import { readText } from "../repository.ts";
import { isAllowed, licensesPage, readDependencies } from "./licenses.ts";

const dependencies = readDependencies();

test("every dependency has a license that allows what we do with it", () => {
  expect(dependencies.length).toBeGreaterThan(100); // the lockfile was understood
  expect(dependencies.filter((one) => !isAllowed(one))).toEqual([]);
});

test("a license that asks for more, or none, is not allowed", () => {
  const shipped = { name: "x", version: "1.0.0", shipped: true };
  for (const license of ["GPL-3.0", "MPL-2.0", "MIT AND GPL-3.0", "unknown"])
    expect(isAllowed({ ...shipped, license })).toBe(false);
  expect(isAllowed({ ...shipped, license: "(MIT OR GPL-3.0)" })).toBe(true);
  expect(isAllowed({ ...shipped, license: "MPL-2.0", shipped: false })).toBe(true);
});

test("docs/licenses.md lists them all (npm run licenses writes it)", () => {
  expect(readText("docs/licenses.md")).toBe(licensesPage(dependencies));
});
