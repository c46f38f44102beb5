import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../repository.ts";

/** A package as `npm pack` makes it. */
export interface Packed {
  readonly name: string;
  /** Name of the tarball. */
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const onWindows = process.platform === "win32"; // where npm is a script of the shell

/** Runs npm in a folder and gives back what it printed; nothing comes from the network or the user's cache. */
export function npm(words: readonly string[], cwd: string): string {
  const cache = join(tmpdir(), "conformant-npm-cache");
  const own = ["--offline", "--cache", cache, "--loglevel=error", "--no-audit", "--no-fund"];
  return execFileSync("npm", [...words, ...own], { cwd, encoding: "utf8", shell: onWindows });
}

/** Packs a package of the workspace; without a destination nothing is written. */
export function pack(folder: string, destination?: string): Packed {
  const where = destination === undefined ? ["--dry-run"] : ["--pack-destination", destination];
  const [packed] = JSON.parse(npm(["pack", "--json", ...where], join(root, folder))) as [Packed];
  return packed;
}
