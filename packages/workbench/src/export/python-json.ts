/**
 * JSON as a literal of Python. It has nothing but printable ASCII and no apostrophe: everything else is written as an escape
 * of JSON, so that nothing in a name can end the literal, and lines are broken between items only.
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
