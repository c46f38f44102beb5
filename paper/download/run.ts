import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { downloadFile, type PublishedFile } from "./download-file.ts";

const USAGE = `npm run datasets -- [mnist] [fashion] [covtype] [adult] [splice] [--data DIR]

Downloads the published files of the paper's datasets into data/ (or DIR), about 55 MB, and checks their sums. Files that
are there already are kept, so an interrupted download goes on where it was.`;

/** Downloads the files of the named datasets, or of all. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: "string" }, help: { type: "boolean", default: false } },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const folder =
    values.data ?? process.env.CONFORMANT_DATA ?? fileURLToPath(new URL("../../data", import.meta.url));
  const manifest = JSON.parse(
    readFileSync(new URL("./manifest.json", import.meta.url), "utf8"),
  ) as PublishedFile[];
  const datasets = new Set(manifest.map(datasetOf));
  const unknown = positionals.find((name) => !datasets.has(name));
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${[...datasets].join(", ")}`);
  for (const file of manifest) {
    if (positionals.length > 0 && !positionals.includes(datasetOf(file))) continue;
    console.log(`${file.path}: ${await downloadFile(file, folder)}`);
  }
}

function datasetOf({ path }: PublishedFile): string {
  return path.split("/", 1)[0];
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
