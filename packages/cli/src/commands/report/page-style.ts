/** Colors that most eyes can tell apart (Okabe and Ito), for light and dark backgrounds; ours comes first. */
const LIGHT = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#b8729a",
  "#8c6d00",
  "#56a0c8",
  "#7a7a7a",
  "#5b4ea8",
  "#a8324a",
  "#3f7f3f",
  "#c07a2c",
];
const DARK = [
  "#56b4e9",
  "#ff9a52",
  "#3ecf9e",
  "#e39ac6",
  "#e6c84f",
  "#9bd4f5",
  "#b5b5b5",
  "#a99cf0",
  "#f0839a",
  "#8fd08f",
  "#f0b678",
];

/** The color of a series as a CSS variable, which follows the reader's color scheme. */
export function seriesColor(series: number): string {
  return `var(--series-${series % LIGHT.length})`;
}

export function pageStyle(series: number): string {
  const variables = (colours: readonly string[]): string =>
    Array.from({ length: Math.min(series, colours.length) }, (_, s) => `--series-${s}:${colours[s]};`).join(
      "",
    );
  return `
:root{color-scheme:light dark;--ground:#fdfdfb;--ink:#1d1d1b;--soft:#63635e;--line:#dcdcd6;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{--ground:#161618;--ink:#ececea;--soft:#a3a39e;--line:#38383c;${variables(DARK)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.2rem;margin:2.5rem 0 .5rem}
.lead{font-size:1.15rem}
small,footer{color:var(--soft)}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:1rem 0}
.swatch{display:inline-block;width:1.4em;height:.3em;border-radius:.15em;margin-right:.45em;vertical-align:middle}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1.5rem}
figure{margin:0}
figure svg{width:100%;height:auto;color:var(--ink);background:transparent}
table{border-collapse:collapse;width:100%;margin:1rem 0;font-variant-numeric:tabular-nums;font-size:.92rem}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{text-align:right;padding:.25rem .6rem;border-bottom:1px solid var(--line);white-space:nowrap}
th[scope=row],thead th:first-child{text-align:left;font-weight:500;padding-left:0}
.wide{overflow-x:auto}
footer{margin-top:3rem;font-size:.9rem}
@media print{:root{color-scheme:light}}
`;
}
