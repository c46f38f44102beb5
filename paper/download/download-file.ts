import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A published file: where it goes, where it comes from, and how to know that it is the right one. */
export interface PublishedFile {
  readonly path: string;
  /** Tried in this order. */
  readonly urls: readonly string[];
  readonly sha256?: string;
  /** Git's own id of the contents, where that is what is known: SHA-1 of "blob <length>\0" and the contents. */
  readonly gitBlob?: string;
}

/** What became of a file. */
export type Outcome = "kept" | "downloaded";

/**
 * Downloads a file unless it is there already. It appears under its name only when it is whole and its sum is right; a
 * mirror that fails or gives something else is passed over for the next.
 */
export async function downloadFile(file: PublishedFile, folder: string): Promise<Outcome> {
  const target = join(folder, file.path);
  if (existsSync(target) && isRight(file, readFileSync(target))) return "kept";
  const failures: string[] = [];
  for (const url of file.urls) {
    try {
      store(target, await fetchRight(file, url));
      return "downloaded";
    } catch (error) {
      failures.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`${file.path} could not be downloaded\n  ${failures.join("\n  ")}`);
}

async function fetchRight(file: PublishedFile, url: string): Promise<Buffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!isRight(file, bytes)) throw new Error(`gave ${bytes.length} bytes that are not the published file`);
  return bytes;
}

/** Whether the contents have the published sum. */
export function isRight({ sha256, gitBlob }: PublishedFile, bytes: Buffer): boolean {
  if (sha256 !== undefined) return createHash("sha256").update(bytes).digest("hex") === sha256;
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === gitBlob;
}

function store(target: string, bytes: Buffer): void {
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}.part`;
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}
