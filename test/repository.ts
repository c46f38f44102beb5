import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** The pages that a reader meets: README and CONTRIBUTING, the guide, the README of each package. */
export function documentationPages(): string[] {
  const docs = join(root, "docs");
  const guide = existsSync(docs) ? readdirSync(docs).filter((name) => name.endsWith(".md")) : [];
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    ...guide.map((name) => `docs/${name}`),
    ...packageFolders().map((folder) => `${folder}/README.md`),
  ];
  return pages.filter((page) => existsSync(join(root, page)));
}
