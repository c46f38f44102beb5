import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Model, saveModel } from "conformant";
import { CliError, quoted } from "../errors.ts";
import { outputError } from "../output/atomic-file.ts";
import { pageFiles, pageFolder } from "../server/page-assets.ts";
import { type PageOptions, pageSettings } from "../server/page-settings.ts";

/**
 * Writes the page of a model as files that any file server can offer: nothing is computed anywhere but in the browser.
 *
 * @param folder is made where it is missing; an existing one must be empty or hold an earlier page
 */
export function exportPage(model: Model, folder: string, options: PageOptions = {}): void {
  const settings = pageSettings(model, options);
  checkFolder(folder);
  try {
    for (const name of pageFiles()) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      copyFileSync(join(pageFolder, name), join(folder, name));
    }
    writeFileSync(join(folder, "model.json"), saveModel(model));
    writeFileSync(join(folder, "page.json"), JSON.stringify(settings));
  } catch (thrown) {
    throw outputError(folder, thrown);
  }
}

function checkFolder(folder: string): void {
  if (!existsSync(folder)) return;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new CliError("unwritable-output", `${quoted(folder)} could not be written: it is no folder`);
  }
  if (names.length === 0 || names.includes("page.json")) return;
  throw new CliError(
    "unwritable-output",
    `${quoted(folder)} has other files in it, expected an empty folder`,
  );
}
