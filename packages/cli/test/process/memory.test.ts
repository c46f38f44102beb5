import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { conformantAlone, succeedAlone } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const fit = ["fit", "penguins.csv", "--label", "species", "--components", "1", "--quiet"];

test("a small table needs little: an engine of 64 MB and a heap of 40 MB", () => {
  succeedAlone([...fit, "-o", "little.json"], { cwd, env: { CONFORMANT_MEMORY: "64MB" } });
  succeedAlone(["predict", "little.json", "penguins.csv", "-o", "p.csv"], {
    cwd,
    env: { CONFORMANT_MEMORY: "64MB", NODE_OPTIONS: "--max-old-space-size=40" },
  });
  expect(place.read("p.csv").split("\n").length).toBe(place.read("penguins.csv").split("\n").length);
});

test.each([
  ["the engine", { CONFORMANT_MEMORY: "4MB" }, "CONFORMANT_MEMORY"],
  ["the command", { NODE_OPTIONS: "--max-old-space-size=8" }, "--max-old-space-size"],
])("where %s has too little, one line says so, with what may help, and nothing is left", (_, env, hint) => {
  const temporary = place.path("temporary");
  mkdirSync(temporary, { recursive: true });
  const { status, stdout, stderr } = conformantAlone([...fit, "-o", "none.json"], {
    cwd,
    env: { ...env, TMPDIR: temporary } as Record<string, string>,
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^error\[out-of-memory\]: .+\nhint: .+\n$/);
  expect(stderr).toContain(hint);
  expect(existsSync(place.path("none.json"))).toBe(false);
  expect(readdirSync(temporary)).toEqual([]);
});
