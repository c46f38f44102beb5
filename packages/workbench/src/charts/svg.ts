/** Attributes of an SVG element; undefined ones are omitted. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One SVG element as text. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const listed = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => ` ${key}="${typeof value === "number" ? round(value) : escapeText(String(value))}"`,
    );
  const open = `<${name}${listed.join("")}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join("")}</${name}>`;
}

/** Text for use between tags or in an attribute. */
export function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Rounded to a hundredth of a pixel. */
function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The path through points, interrupted where one is missing. */
export function linePath(points: readonly (readonly [number, number] | null)[]): string {
  return points
    .map((point, i) => point && `${points[i - 1] ? "L" : "M"}${round(point[0])} ${round(point[1])}`)
    .filter((part) => part !== null)
    .join("");
}

/** A text element. */
export function text(content: string, attributes: Attributes): string {
  return element("text", attributes, escapeText(content));
}

/** A complete SVG file of the given size in pixels, on white, with a title for screen readers. */
export function picture(width: number, height: number, title: string, children: readonly string[]): string {
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${round(width)} ${round(height)}`,
    role: "img",
    "font-family": "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif",
    "font-size": 12,
  };
  const background = element("rect", { width, height, fill: "#fff" });
  const body = [element("title", {}, escapeText(title)), background, ...children];
  return `${element("svg", attributes, `\n${body.join("\n")}\n`)}\n`;
}

/** Text cut to approximately this number of characters. */
export function shorten(raw: string, most: number): string {
  return raw.length > most ? `${raw.slice(0, most - 1)}…` : raw;
}
