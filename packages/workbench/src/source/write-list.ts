/** Names as a comma-separated list for an option; names that need it are quoted. */
export function writeList(names: readonly string[], separator = ", "): string {
  return names
    .map((name) => (/[",]|^\s|\s$|^$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(separator);
}
