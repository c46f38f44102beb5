/** The text of a Markdown page that is read as language: without code, formulas, addresses and marks. */
export function proseOf(markdown: string): string {
  return markdown
    .replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1`*$/gm, "") // fenced blocks
    .replace(/^ {4,}[^\n]*$/gm, "") // indented blocks; long lines of lists are indented by two
    .replace(/`[^`]*`/g, "")
    .replace(/<!--[\s\S]*?-->|<[^>]+>/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/https?:\S+/g, "");
}

/** The words of a text; names with digits, underscores or capitals inside are none. */
export function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}_'’.\-/]+/u)
    .filter((token) => !/[\d_./]./.test(token))
    .flatMap((token) => token.split(/[-/.]/))
    .map((word) => word.replace(/^['’]+|(['’]s)?['’]*$/gu, ""))
    .filter((word) => /^\p{L}{2,}(['’]\p{L}+)?$/u.test(word) && !/\p{Ll}\p{Lu}|^\p{Lu}+s?$/u.test(word));
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): Set<string> {
  const text = markdown.replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1`*$/gm, "");
  const slugs = Array.from(text.matchAll(/^#{1,6} +(.*)$/gm), ([, heading]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[`*]/g, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
  const seen = new Map<string, number>();
  return new Set(
    slugs.map((slug) => {
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
}

/** The links of a page, pictures among them, with the line they stand on. */
export function linksOf(markdown: string): { readonly target: string; readonly line: number }[] {
  const withoutCode = markdown.replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1`*$/gm, (block) =>
    block.replace(/[^\n]/g, ""),
  );
  return withoutCode.split("\n").flatMap((text, i) =>
    Array.from(text.replace(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => ({
      target,
      line: i + 1,
    })),
  );
}
