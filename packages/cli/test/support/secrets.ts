import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** What is looked for: the middle of a password with all that is special in addresses, shells, JSON and HTML around it. */
const SECRET = "S3CR3T";
export const PASSWORD = `p@ss/${SECRET}:o#r?d%&+ ü<'"\\`;

/** An address with a password in the ways that people write it. */
export function withPassword(address: string): string[] {
  const [scheme, rest] = address.split("://");
  const [user, place] = rest.includes("@") ? rest.split("@") : ["default", rest];
  const [head, table] = place.split("#");
  return [
    `${scheme}://${user}:${PASSWORD}@${place}`,
    `${scheme.toUpperCase()}://${user}:${encodeURIComponent(PASSWORD)}@${place}`,
    `${scheme}://${user}@${head}?password=${encodeURIComponent(PASSWORD)}#${table}`,
  ];
}

/** Throws where a text or a file of a folder holds the secret, plain or encoded. */
export function expectNoSecret(what: string, ...texts: readonly string[]): void {
  for (const text of texts) expect(text, what).not.toContain(SECRET);
}

export function expectNoSecretIn(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) expectNoSecretIn(path);
    else expectNoSecret(path, name, readFileSync(path, "latin1"));
  }
}
