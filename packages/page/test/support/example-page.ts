import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel, type Model } from "conformant";
import { fittedPenguins } from "../../../cli/test/support/fitted-penguins.ts";
import { succeed } from "../../../cli/test/support/run.ts";

const path = (name: string): string => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));

/** The model of the digits and the digits to choose from. */
export const digits = {
  model: path("packages/page/demo/model.json"),
  samples: path("packages/page/demo/samples.json"),
};

/** A folder with a model and its exported page. */
export interface ExamplePage {
  readonly folder: string;
  readonly modelFile: string;
  readonly model: Model;
  readonly remove: () => void;
}

/** The page of a model of the penguins. */
export function exportPenguins(...options: string[]): ExamplePage {
  return exportTo(fittedPenguins(), ...options);
}

/** The page of the digits. */
export function exportDigits(): ExamplePage {
  return exportTo(digits.model, "--image", "28x28", "--samples", digits.samples);
}

function exportTo(modelFile: string, ...options: string[]): ExamplePage {
  const home = mkdtempSync(join(tmpdir(), "conformant-page-test-"));
  const folder = join(home, "page");
  succeed(["export", modelFile, "--to", "page", "-o", folder, ...options]);
  return {
    folder,
    modelFile,
    model: loadModel(readFileSync(modelFile, "utf8")),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
