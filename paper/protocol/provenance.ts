import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Where the numbers of a result file come from. */
export interface Provenance {
  /** Of the library. */
  readonly version: string;
  /** The commit of the repository, with "+" where files were changed since; null outside a repository. */
  readonly commit: string | null;
  /** When the file was written. */
  readonly date: string;
  readonly node: string;
  /** SHA-256 of every data file by its name. */
  readonly data: Readonly<Record<string, string>>;
}

/** What is known now, with the hashes of the data that was used. */
export function provenanceOf(data: Readonly<Record<string, string>>): Provenance {
  const { version } = JSON.parse(
    readFileSync(join(repository, "packages/conformant/package.json"), "utf8"),
  ) as { version: string };
  return { version, commit: commitOf(), date: new Date().toISOString(), node: process.version, data };
}

/** Changes of what is written by a run do not count. */
function commitOf(): string | null {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const written = ["results", "figures", "RESULTS.md"].map((name) => `:!paper/${name}`);
    const changed = git("status", "--porcelain", "--", ".", ...written).trim() !== "";
    return git("rev-parse", "HEAD").trim() + (changed ? "+" : "");
  } catch {
    return null;
  }
}

/** The SHA-256 of the files of a dataset in whichever of the folders has it. */
export function hashesOf(folders: readonly string[], dataset: string): Record<string, string> {
  const folder = folders.map((name) => join(name, dataset)).find((name) => existsSync(name));
  const files = folder === undefined ? [] : readdirSync(folder).sort();
  return Object.fromEntries(
    files.map((file) => [
      `${dataset}/${file}`,
      createHash("sha256")
        .update(readFileSync(join(folder ?? "", file)))
        .digest("hex"),
    ]),
  );
}
