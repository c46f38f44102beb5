/** Attributes of an element; numbers are written with two decimals. */
export type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element as text. `children` is markup, not text: see {@link escapeText}. */
export function element(name: string, attributes: Attributes, children = ""): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(format(value))}"`);
  return children === "" ? `<${name}${list.join("")}/>` : `<${name}${list.join("")}>${children}</${name}>`;
}

/** A text element. */
export function text(content: string, attributes: Attributes): string {
  return element("text", attributes, escapeText(content));
}

/** A whole picture of the given size in pixels, on white, with a title for those who cannot see it. */
export function picture(width: number, height: number, title: string, children: readonly string[]): string {
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${format(width)} ${format(height)}`,
    role: "img",
    "font-family": "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif",
    "font-size": 12,
  };
  const background = element("rect", { width, height, fill: "#fff" });
  const body = [element("title", {}, escapeText(title)), background, ...children];
  return `${element("svg", attributes, `\n${body.join("\n")}\n`)}\n`;
}

/** Text that may stand between tags and in attributes. */
export function escapeText(raw: string): string {
  return raw.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

function format(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
}

/** Text cut to about the given number of characters. */
export function shorten(raw: string, most: number): string {
  return raw.length > most ? `${raw.slice(0, most - 1)}…` : raw;
}
