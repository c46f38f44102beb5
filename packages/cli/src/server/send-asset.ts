import { parseAccept } from "hono/utils/accept";
import { pageHeaders } from "./guard.ts";
import type { Asset } from "./page-assets.ts";

/** A file, compressed where the client takes it. hono's own `etag` makes a 304 of it where the client has it already. */
export function sendAsset(path: string, { type, plain, gzip }: Asset, acceptEncoding = ""): Response {
  const packed = gzip !== undefined && prefersGzip(acceptEncoding) ? gzip : undefined;
  return new Response((packed ?? plain).bytes, {
    headers: {
      ...pageHeaders,
      "Content-Type": type,
      ETag: (packed ?? plain).etag,
      Vary: "Accept-Encoding",
      // The names of files in assets/ hold a digest of their content, so they never change.
      "Cache-Control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      ...(packed && { "Content-Encoding": "gzip" }),
    },
  });
}

/** Whether gzip is accepted, and at least as welcome as no encoding (RFC 9110, 12.5.3). */
function prefersGzip(acceptEncoding: string): boolean {
  const accepted = parseAccept(acceptEncoding);
  const quality = (...names: string[]): number | undefined =>
    accepted.find(({ type }) => names.includes(type.toLowerCase()))?.q;
  const gzip = quality("gzip", "x-gzip") ?? quality("*") ?? 0;
  return gzip > 0 && gzip >= (quality("identity") ?? 0);
}
