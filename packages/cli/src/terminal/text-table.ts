import { printableCell } from "./printable.ts";

/** Formats cells in aligned columns; the columns in `right` are right-aligned. */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: (column: number) => boolean = () => false,
): string {
  const all = [header, ...rows].map((cells) => cells.map(printableCell));
  const widths = header.map((_, c) => Math.max(...all.map((row) => displayWidth(row[c] ?? ""))));
  const lines = all.map((row) =>
    row
      .map((cell, c) => {
        const space = " ".repeat(Math.max(0, widths[c] - displayWidth(cell)));
        return right(c) ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd(),
  );
  return lines.join("\n");
}

/** Display width: code points without combining marks, wide characters twice. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mark}/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
