import type { Explanation, Model, Row } from "conformant";
import { element, picture, text } from "conformant-workbench";

/** The shape of the images. */
export interface DrawPanelsOptions {
  /** Pixels per line of the image. */
  readonly width: number;
  /** Lines of the image. */
  readonly height: number;
  /** Size of a pixel in the picture. Default 5. */
  readonly scale?: number;
}

/** An image to draw: its row, the explanation of that row, and a line to put above. */
export interface ExplainedImage {
  readonly row: Row;
  readonly explanation: Explanation;
  readonly title?: string;
  /** Support features by decreasing weight, to compare with: as many as the sufficient explanation has are drawn beside it. */
  readonly byWeight?: readonly string[];
}

const GRAY = "#9a9a9a";
const GAP = 18;
const TITLE = 26;
const CAPTION = 24;

/**
 * Images with their explanations, one line of panels each: all features, the support features, the support features of the
 * largest weight where they are given, and the sufficient explanation. Pixels that are unknown or not part of a panel are gray;
 * the others are black for 0 and white for 1.
 *
 * @returns the text of an SVG file
 */
export function drawPanels(
  model: Model,
  images: readonly ExplainedImage[],
  options: DrawPanelsOptions,
): string {
  const { width, height, scale = 5 } = options;
  const pixels = model.schema.columns.map(({ name }) => name);
  const [w, h] = [width * scale, height * scale];
  const panels = images.map(panelsOf);
  const lines = images.map(({ row, explanation, title = titleOf(explanation) }, line) => {
    const top = GAP + line * (TITLE + h + CAPTION + GAP);
    const drawn = panels[line].map(({ caption, chosen }, j) => {
      const left = GAP + j * (w + GAP);
      const place = `translate(${left} ${top + TITLE})`;
      const image = drawPixels(pixels, row, chosen, options);
      const label = text(caption, { x: w / 2, y: h + 16, "text-anchor": "middle", fill: "#1d2330" });
      return element("g", { transform: place }, image + label);
    });
    const heading = text(title, {
      x: GAP,
      y: top + 14,
      "font-weight": 600,
      "font-size": 13,
      fill: "#1d2330",
    });
    return heading + drawn.join("\n");
  });
  const most = Math.max(...panels.map((line) => line.length));
  const total = { width: GAP + most * (w + GAP), height: GAP + lines.length * (TITLE + h + CAPTION + GAP) };
  return picture(total.width, total.height, "Explanations of images", lines);
}

function titleOf({ prediction, probability }: Explanation): string {
  return `Predicted ${prediction} (${probability > 0.995 ? "> 0.99" : probability.toFixed(2)})`;
}

/** Pixels that are drawn together. */
interface Panel {
  readonly caption: string;
  readonly chosen: ReadonlySet<string>;
}

function panelsOf({ explanation, byWeight }: ExplainedImage): Panel[] {
  const { contributions, support, sufficient, status } = explanation;
  const k = sufficient.length;
  const smallest = status === "optimal" ? "sufficient" : `sufficient, ${status}`;
  return [
    {
      caption: `all features (${contributions.length})`,
      chosen: new Set(contributions.map(({ column }) => column)),
    },
    { caption: `support (${support.length})`, chosen: new Set(support) },
    ...(byWeight ? [{ caption: `top ${k} by weight`, chosen: new Set(byWeight.slice(0, k)) }] : []),
    { caption: `${smallest} (${k})`, chosen: new Set(sufficient) },
  ];
}

/** One rectangle per run of equal pixels in a line. */
function drawPixels(
  pixels: readonly string[],
  row: Row,
  chosen: ReadonlySet<string>,
  { width, height, scale = 5 }: DrawPanelsOptions,
): string {
  const shades = pixels.map((name) => (chosen.has(name) ? (row[name] ? "#ffffff" : "#000000") : GRAY));
  const runs: string[] = [
    element("rect", {
      width: width * scale,
      height: height * scale,
      fill: GRAY,
      "shape-rendering": "crispEdges",
    }),
  ];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; ) {
      const fill = shades[y * width + x];
      let end = x + 1;
      while (end < width && shades[y * width + end] === fill) end++;
      const place = { x: x * scale, y: y * scale, width: (end - x) * scale, height: scale };
      if (fill !== GRAY) runs.push(element("rect", { ...place, fill, "shape-rendering": "crispEdges" }));
      x = end;
    }
  }
  return runs.join("");
}
