import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel, type Model } from "conformant";
import { inject } from "vitest";
import { succeed } from "./run.ts";
import { examples, type Workplace } from "./workplace.ts";

/**
 * The file of the model that `conformant fit` makes of the penguins by default, fitted by the first test file that asks for it.
 * It appears when it is complete, and the same command gives the same bytes, so that two that ask at once do no harm.
 */
export function fittedPenguins(): string {
  const file = join(inject("shared"), "penguins.json");
  if (!existsSync(file))
    succeed(["fit", join(examples, "penguins.csv"), "--label", "species", "-o", file, "--quiet"]);
  return file;
}

/** Puts that model into a workplace, and gives it back. */
export function writePenguins(place: Workplace, name: string): Model {
  const text = readFileSync(fittedPenguins(), "utf8");
  place.write(name, text);
  return loadModel(text);
}
