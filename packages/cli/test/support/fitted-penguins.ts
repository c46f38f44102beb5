import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel, type Model } from "conformant";
import { inject } from "vitest";
import { succeed } from "./run.ts";
import { examples, type Workplace } from "./workplace.ts";

/** Options of the quickest fit, for what has nothing to do with the distribution: most of the time goes into its choice. */
export const QUICKEST = ["--components", "1", "--numeric", "atoms", "--train-on", "complete"];

/**
 * The file of the model that `conformant fit` makes of the penguins, by default or with some options, fitted by the first test file that
 * asks for it. It appears when it is complete, and the same command gives the same bytes, so that two that ask at once do no harm.
 */
export function fittedPenguins(...options: readonly string[]): string {
  const file = join(inject("shared"), `penguins${options.join("")}.json`);
  if (!existsSync(file))
    succeed(["fit", join(examples, "penguins.csv"), "--label", "species", ...options, "-o", file, "--quiet"]);
  return file;
}

/** Puts that model into a workplace, and gives it back. */
export function writePenguins(place: Workplace, name: string, ...options: readonly string[]): Model {
  const text = readFileSync(fittedPenguins(...options), "utf8");
  place.write(name, text);
  return loadModel(text);
}
