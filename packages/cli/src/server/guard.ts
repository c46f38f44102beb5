import { createHash, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { ApiError } from "./api-error.ts";

/** Sent with answers to programs, which are never shown, run or framed. */
export const apiHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Sent with files. The page needs scripts, the library's WebAssembly, styles, workers and data of its own origin, and nothing else. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  // Together they let the page's threads share memory.
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

/** Whether a server that listens on a name or an address can be reached from this machine only. */
export async function isLoopback(host: string): Promise<boolean> {
  const addresses = await lookup(host, { all: true }).catch(() => []); // a name that leads nowhere fails to listen
  return addresses.length > 0 && addresses.every(({ address }) => isLoopbackAddress(address));
}

/**
 * A check of the Host header: a server for this machine answers to its own names only, so that a page elsewhere whose name
 * was made to lead here (DNS rebinding) gets nothing.
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

/** A check of the bearer token in constant time; without a token everyone may ask. */
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
