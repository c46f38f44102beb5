import { createHash, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { ApiError } from "./api-error.ts";

/** Headers of responses to programs, which are never shown, run or framed. */
export const apiHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Headers of files. The page needs scripts, WebAssembly, styles, workers and data of its own origin, and nothing else. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  // Together they allow the page's threads to share memory.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

/** 127.0.0.0/8 and ::1. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** Whether a server that listens on a name or address is reachable only from this machine. */
export async function isLoopback(host: string): Promise<boolean> {
  const addresses = await lookup(host, { all: true }).catch(() => []); // listening on an unresolvable name fails
  return addresses.length > 0 && addresses.every(({ address }) => isLoopbackAddress(address));
}

/**
 * Checks the Host header: a server for this machine answers only to its own names, so that a page of another site whose name resolves here
 * (DNS rebinding) gets nothing.
 */
export function hostCheck(listeningOn: string, isLocal: boolean): (host: string | undefined) => void {
  if (!isLocal) return () => undefined;
  return (host = "") => {
    const name = host.replace(/:\d+$/, "").toLowerCase();
    if (name === "localhost" || name === listeningOn.toLowerCase()) return;
    if (isLoopbackAddress(name.replace(/^\[(.*)\]$/, "$1"))) return;
    throw new ApiError(403, "wrong-host", "this server answers to localhost only");
  };
}

/** Checks the bearer token in constant time; without a token every request is allowed. */
export function tokenCheck(token: string | undefined): (authorization: string | undefined) => void {
  if (token === undefined) return () => undefined;
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (authorization = "") => {
    const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (timingSafeEqual(digest(given), expected)) return;
    throw new ApiError(401, "unauthorized", "this server needs a bearer token", {
      "WWW-Authenticate": 'Bearer realm="conformant"',
    });
  };
}
