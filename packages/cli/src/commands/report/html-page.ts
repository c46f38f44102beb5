import { escapeHtml } from "./escape-html.ts";
import { pageStyle, seriesColor } from "./page-style.ts";

/**
 * A self-contained HTML page without scripts or requests, in light and dark.
 *
 * @param series the number of colors that the plots need
 * @param body the HTML below the title
 */
export function htmlPage(title: string, series: number, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyle(series)}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/** The legend. */
export function legend(names: readonly string[]): string {
  const items = names.map(
    (name, s) =>
      `<li><span class="swatch" style="background:${seriesColor(s)}"></span>${escapeHtml(name)}</li>`,
  );
  return `<ul class="legend">${items.join("")}</ul>`;
}
