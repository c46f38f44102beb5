import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Reads a text file, its path relative to the root. */
export function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The folders of the workspace packages, such as `packages/conformant`. */
export function packageFolders(): string[] {
  const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}`);
  return folders.filter((folder) => existsSync(join(root, folder, "package.json")));
}

/** The pages that a reader meets: those of the root, the guide, the paper's, the README of each package. */
export function documentationPages(): string[] {
  const markdown = (folder: string, recursive = false) =>
    readdirSync(join(root, folder), { recursive, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => posix.join(folder, name.split(sep).join("/")))
      .sort();
  const packages = packageFolders().map((folder) => `${folder}/README.md`);
  const folders = [markdown("."), markdown("docs", true), markdown("compare"), markdown("paper")];
  return [...folders.flat(), ...packages].filter((page) => existsSync(join(root, page)));
}
