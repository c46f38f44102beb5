import { expect, test } from "vitest";
import { readText } from "../repository.ts";
import { isAllowed, licencesPage, readDependencies } from "./licences.ts";

const dependencies = readDependencies();

test("every dependency has a licence that allows what we do with it", () => {
  expect(dependencies.length).toBeGreaterThan(100); // the lockfile was understood
  expect(dependencies.filter((one) => !isAllowed(one))).toEqual([]);
});

test("a licence that asks for more, or none, is not allowed", () => {
  const shipped = { name: "x", version: "1.0.0", shipped: true };
  for (const licence of ["GPL-3.0", "MPL-2.0", "MIT AND GPL-3.0", "unknown"])
    expect(isAllowed({ ...shipped, licence })).toBe(false);
  expect(isAllowed({ ...shipped, licence: "(MIT OR GPL-3.0)" })).toBe(true);
  expect(isAllowed({ ...shipped, licence: "MPL-2.0", shipped: false })).toBe(true);
});

test("docs/licences.md lists them all (npm run licences writes it)", () => {
  expect(readText("docs/licences.md")).toBe(licencesPage(dependencies));
});
