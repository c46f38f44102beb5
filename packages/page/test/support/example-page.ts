import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadModel, type Model } from "conformant";
import { fittedPenguins } from "../../../cli/test/support/fitted-penguins.ts";
import { succeed } from "../../../cli/test/support/run.ts";

/** A folder with a model and its exported page. */
export interface ExamplePage {
  readonly folder: string;
  readonly modelFile: string;
  readonly model: Model;
  readonly remove: () => void;
}

/** The page of a model of the penguins. */
export function exportPenguins(...options: string[]): ExamplePage {
  const modelFile = fittedPenguins();
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
