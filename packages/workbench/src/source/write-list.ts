/** Names as options of the command take them, separated by commas: one that a plain item would not bring back is in double quotes. */
export function writeList(names: readonly string[], separator = ", "): string {
  return names
    .map((name) => (/[",]|^\s|\s$|^$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(separator);
}
