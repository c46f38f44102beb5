import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Calibration, type Model, saveCalibration, saveModel } from "conformant";
import { CliError, quoted } from "../errors.ts";
import type { FileContent } from "../output/atomic-file.ts";
import { pageFiles, pageFolder } from "../server/page/page-assets.ts";
import { type PageOptions, pageSettings } from "../server/page/page-settings.ts";

/**
 * The page of a model as files that any file server can offer: nothing is computed anywhere but in the browser.
 *
 * @param folder may be missing; an existing one must be empty or hold an earlier page
 * @param calibration rows that go with it, for all to read
 */
export function exportPage(
  model: Model,
  folder: string,
  options: PageOptions = {},
  calibration?: Calibration,
): FileContent[] {
  const settings = pageSettings(model, options, calibration !== undefined);
  checkFolder(folder);
  return [
    ...pageFiles()
      .filter((name) => !name.startsWith("examples/"))
      .map((name) => ({
        path: join(folder, name),
        content: readFileSync(join(pageFolder, name)),
      })), // the examples are for making models
    { path: join(folder, "model.json"), content: saveModel(model) },
    ...(calibration
      ? [{ path: join(folder, "calibration.json"), content: saveCalibration(calibration) }]
      : []),
    { path: join(folder, "page.json"), content: JSON.stringify(settings) },
  ];
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
