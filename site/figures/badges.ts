import { element, escapeText } from "conformant-workbench";
import manifest from "../../packages/conformant/package.json" with { type: "json" };

/** The badges of README, drawn here so that the page loads nothing from other hosts. `bundle-size.test.ts` checks the size. */
export function badges(): { readonly name: string; readonly svg: string }[] {
  return [
    { name: "badge-version", svg: badge("version", manifest.version) },
    { name: "badge-size", svg: badge("size", "under 18 kB") },
  ];
}

/** Two words side by side, the first on gray and the second on blue. */
function badge(left: string, right: string): string {
  const width = (text: string) => 12 + 7 * text.length;
  const [a, b] = [width(left), width(right)];
  const text = (x: number, words: string) =>
    element("text", { x, y: 14, fill: "#fff", "text-anchor": "middle" }, escapeText(words));
  return `${element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: a + b,
      height: 20,
      role: "img",
      "font-family": "Verdana, Geneva, sans-serif",
      "font-size": 11,
    },
    element("title", {}, escapeText(`${left}: ${right}`)) +
      element("rect", { width: a + b, height: 20, rx: 3, fill: "#1f5fa8" }) +
      element("path", { d: `M3 0H${a}V20H3A3 3 0 0 1 0 17V3A3 3 0 0 1 3 0Z`, fill: "#444" }) +
      text(a / 2, left) +
      text(a + b / 2, right),
  )}\n`;
}
