import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel, type Model } from "conformant";

const path = (name: string): string => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));

/** The built command and the data it is tried on. */
export const bin = path("packages/cli/dist/main.js");
export const digits = {
  model: path("packages/playground/demo/model.json"),
  samples: path("packages/playground/demo/samples.json"),
};

/** A folder with a model and its exported page. */
export interface ExamplePage {
  readonly folder: string;
  readonly modelFile: string;
  readonly model: Model;
  readonly remove: () => void;
}

const run = (...words: string[]): Buffer => execFileSync(process.execPath, [bin, ...words, "--quiet"]);

/** The page of a model of the penguins. */
export function exportPenguins(): ExamplePage {
  const home = mkdtempSync(join(tmpdir(), "conformant-page-test-"));
  const modelFile = join(home, "penguins.json");
  run("fit", path("examples/penguins.csv"), "--label", "species", "-o", modelFile);
  return exportTo(home, modelFile);
}

/** The page of the digits. */
export function exportDigits(): ExamplePage {
  const home = mkdtempSync(join(tmpdir(), "conformant-page-test-"));
  return exportTo(home, digits.model, "--image", "28x28", "--samples", digits.samples);
}

function exportTo(home: string, modelFile: string, ...options: string[]): ExamplePage {
  const folder = join(home, "page");
  run("export", modelFile, "--to", "page", "-o", folder, ...options);
  return {
    folder,
    modelFile,
    model: loadModel(readFileSync(modelFile, "utf8")),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
