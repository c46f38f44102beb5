/** A Markdown table; columns after the first two are numbers. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, i) => (i < 2 ? "---" : "---:"));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}
