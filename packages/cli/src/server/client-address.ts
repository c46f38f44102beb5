import type { IncomingMessage } from "node:http";

/**
 * Who asks, as far as fairness goes: an IPv4 address, or the first 64 bits of an IPv6 one, as whoever has one such address
 * has all of its network's. Behind a proxy it is the address that the proxy itself added to X-Forwarded-For, the last.
 */
export function clientAddress({ headers, socket }: IncomingMessage, behindProxy: boolean): string {
  const forwarded = behindProxy ? headers["x-forwarded-for"] : undefined;
  const last = forwarded === undefined ? "" : lastOf(String(forwarded));
  return network(last === "" ? (socket.remoteAddress ?? "") : last);
}

function lastOf(list: string): string {
  return list.slice(list.lastIndexOf(",") + 1).trim();
}

/** The part of an address that tells clients apart. */
export function network(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head, tail] = address.split("%", 1)[0].split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
