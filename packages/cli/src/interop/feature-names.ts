import { readFileSync } from "node:fs";

/**
 * The names in a classifier of the project's own form: its features, and what stands before their equal signs. Of other forms
 * none: they say nothing about the first line of a table. A file that cannot be read is reported where it is needed.
 */
export function featureNames(path: string): string[] {
  try {
    const { features } = JSON.parse(readFileSync(path, "utf8")) as { features?: unknown };
    if (!Array.isArray(features)) return [];
    const names = features.filter((feature): feature is string => typeof feature === "string");
    return names.flatMap((name) => [name, ...parents(name)]);
  } catch {
    return [];
  }
}

function parents(feature: string): string[] {
  const found: string[] = [];
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1))
    found.push(feature.slice(0, at));
  return found;
}
