/** Attributes of an SVG element; undefined ones are left out. */
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

/** A hundredth of a pixel is enough. */
function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The path through points, broken where there is none. */
export function linePath(points: readonly (readonly [number, number] | null)[]): string {
  return points
    .map((point, i) => point && `${points[i - 1] ? "L" : "M"}${round(point[0])} ${round(point[1])}`)
    .filter((part) => part !== null)
    .join("");
}
