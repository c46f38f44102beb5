import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/** Where the paper's datasets may be: a folder of one's own, `data/` in the repository, `shared/data` beside it. */
const folders = [process.env.CONFORMANT_DATA, join(repository, "data"), join(repository, "../shared/data")];

/** The path of a dataset's file, or undefined where the data is not there; tests that need it are then skipped. */
export function datasetFile(name: string): string | undefined {
  return folders.flatMap((folder) => (folder ? [join(folder, name)] : [])).find((path) => existsSync(path));
}
