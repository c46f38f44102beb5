/**
 * JSON as a Python literal of printable ASCII without apostrophes; everything else is escaped, so that no name can end the literal. Lines
 * are broken between items only.
 */
export function pythonJson(value: object): string {
  const lines = Object.entries(value).map(([key, own]) => `${JSON.stringify(key)}: ${escaped(own)}`);
  return `r'''{\n${lines.join(",\n")}\n}'''`;
}

function escaped(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]|'/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
