import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { CliError } from "../errors.ts";

/** A file in one encoding. */
export interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Encodings of a file have different tags, so that a cache cannot confuse them. */
  readonly etag: string;
}

/** A file of the page, ready to send. */
export interface Asset {
  readonly type: string;
  readonly plain: Representation;
  /** Present where it is shorter. */
  readonly gzip: Representation | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".csv": "text/csv; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The folder of the built page, which is a separate package. */
export const pageFolder = join(
  dirname(createRequire(import.meta.url).resolve("conformant-page/package.json")),
  "dist",
);

/** Names of all files of the page, with "/" between folders. */
export function pageFiles(): string[] {
  if (!existsSync(join(pageFolder, "index.html"))) {
    throw new CliError("not-available", "the page has not been built", {
      hint: "run npm run build",
    });
  }
  return readdirSync(pageFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(pageFolder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** All files of the page by URL path. Nothing else is ever served, so no path can lead elsewhere. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  const files = pageFiles().map((name): [string, Asset] => [
    `/${name}`,
    createAsset(readFileSync(join(pageFolder, name)), TYPES[extname(name)] ?? "application/octet-stream"),
  ]);
  const assets = new Map(files);
  const index = assets.get("/index.html");
  if (index) assets.set("/", index);
  return assets;
}

export function createAsset(bytes: Buffer, type: string): Asset {
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  const packed = gzipSync(bytes);
  return {
    type,
    plain: { bytes: new Uint8Array(bytes), etag: `"${digest}"` },
    gzip:
      packed.length < bytes.length ? { bytes: new Uint8Array(packed), etag: `"${digest}-gzip"` } : undefined,
  };
}
