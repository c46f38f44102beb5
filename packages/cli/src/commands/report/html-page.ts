import { escapeHtml } from "./escape-html.ts";
import { pageStyle, seriesColor } from "./page-style.ts";

/**
 * One self-contained HTML page: no script, no request; light and dark as the reader has it.
 *
 * @param series how many colours the plots need
 * @param body what stands below the title, as HTML
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

/** The names of the series with their colours. */
export function legend(names: readonly string[]): string {
  const items = names.map(
    (name, s) =>
      `<li><span class="swatch" style="background:${seriesColor(s)}"></span>${escapeHtml(name)}</li>`,
  );
  return `<ul class="legend">${items.join("")}</ul>`;
}
