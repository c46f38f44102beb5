import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyModel, type Calibration, saveCalibration, saveModel } from "conformant";
import { collectPage, packPage } from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import type { FileContent } from "../output/atomic-file.ts";
import { pageFiles, pageFolder } from "../server/page-assets.ts";
import { type PageOptions, pageSettings } from "../server/page-settings.ts";

/** Whether the page is one file that opens without a server, rather than a folder. */
export function isOneFile(path: string): boolean {
  return /\.html?$/i.test(path);
}

/**
 * The page of a model: one HTML file, or static files for any web server. Everything is computed in the browser.
 *
 * @param path a name that ends in .html, or a folder that is missing, empty or holds an earlier page
 * @param calibration rows that become part of the page, readable by everyone
 */
export async function exportPage(
  model: AnyModel,
  path: string,
  options: PageOptions = {},
  calibration?: Calibration,
): Promise<FileContent[]> {
  const own = {
    "model.json": saveModel(model),
    ...(calibration && { "calibration.json": saveCalibration(calibration) }),
    "page.json": JSON.stringify(pageSettings(model, options, calibration !== undefined)),
  };
  const names = pageFiles();
  if (isOneFile(path)) {
    const read = async (name: string): Promise<string> => readFileSync(join(pageFolder, name), "utf8");
    return [{ path, content: await packPage(await collectPage(read, false), own) }];
  }
  checkFolder(path);
  return [
    ...names
      .filter((name) => !name.startsWith("examples/")) // only the studio uses them
      .map((name) => ({ path: join(path, name), content: readFileSync(join(pageFolder, name)) })),
    ...Object.entries(own).map(([name, content]) => ({ path: join(path, name), content })),
  ];
}

function checkFolder(folder: string): void {
  if (!existsSync(folder)) return;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new CliError("unwritable-output", `${quoted(folder)} could not be written: it is not a folder`);
  }
  if (names.length === 0 || names.includes("page.json")) return;
  throw new CliError(
    "unwritable-output",
    `${quoted(folder)} has other files in it, expected an empty folder`,
  );
}
