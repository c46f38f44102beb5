import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Where the data may be, in this order: a folder that was named, `data/` in the repository, `shared/data` beside it. */
export function dataFolders(named?: string): string[] {
  const own = named ?? process.env.CONFORMANT_DATA;
  return own ? [own] : [join(repository, "data"), join(repository, "../shared/data")];
}

/** The path of the first of several files that exists; a name may be given with and without ".gz". */
export function findFile(folders: readonly string[], names: readonly string[]): string | undefined {
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** The path of a file, or an error that says where it was looked for and how to get it. */
export function requireFile(folders: readonly string[], names: readonly string[]): string {
  const path = findFile(folders, names);
  if (path !== undefined) return path;
  throw new Error(
    `${names.join(" or ")} was not found in ${folders.join(", ")}; "npm run datasets" downloads it, --data names another folder`,
  );
}

/** The contents of a file, unpacked if its name ends in .gz. */
export function readPacked(path: string): Buffer {
  const bytes = readFileSync(path);
  return path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

/** The lines of a text file that are not empty. */
export function readLines(path: string): string[] {
  return readPacked(path)
    .toString("utf8")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
}
