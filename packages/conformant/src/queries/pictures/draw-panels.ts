import {
  ConformantError,
  requireInteger,
  requireList,
  requireMade,
  requireOptions,
  show,
} from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { cell, type Row } from "../../schema/data.ts";
import type { Explanation } from "../explanation/explain.ts";
import { topByWeight } from "../explanation/top-by-weight.ts";
import { element, picture, text } from "./svg.ts";

/** The shape of the images. */
export interface DrawPanelsOptions {
  /** Pixels per line of the image. */
  readonly width: number;
  /** Lines of the image. */
  readonly height: number;
  /**
   * The names of the pixels, line by line. Default the columns of the model; needed where the model left some of them out,
   * such as pixels that never change, which stay grey.
   */
  readonly pixels?: readonly string[];
  /** Size of a pixel in the picture. Default 5. */
  readonly scale?: number;
}

/** An image to draw: its row, the explanation of that row, and a line to put above. */
export interface ExplainedImage {
  readonly row: Row;
  readonly explanation: Explanation;
  readonly title?: string;
}

const GREY = "#9a9a9a";
const GAP = 18;
const TITLE = 26;
const CAPTION = 24;

/**
 * Images with their explanations as the paper draws them, one line of four panels each: all features, the support features,
 * as many support features of the largest weight as the sufficient explanation has, and the sufficient explanation. Grey
 * was not chosen or is not known; what was chosen has its true colour, from black for 0 to white for 1, or for 255 where a
 * pixel of some image is above 1.
 *
 * @returns the text of an SVG file
 */
export function drawPanels(
  model: Model,
  images: readonly ExplainedImage[],
  options: DrawPanelsOptions,
): string {
  requireMade("model", model);
  requireOptions(options);
  requireList("images", images);
  for (const one of images) requireMade("explanation", one?.explanation, "images[].explanation");
  const { width, height, scale = 5 } = options;
  const pixels = options.pixels ?? model.classifier.schema.columns.map(({ name }) => name);
  checkSize(pixels, options);
  const [w, h] = [width * scale, height * scale];
  const bright = images.some(({ row }) => pixels.some((name) => Number(cell(row, name)) > 1));
  const colourOf = shadesUpTo(bright ? 255 : 1);
  const lines = images.map(({ row, explanation, title = titleOf(explanation) }, line) => {
    const top = GAP + line * (TITLE + h + CAPTION + GAP);
    const panels = panelsOf(model, row, explanation).map(({ caption, chosen }, j) => {
      const left = GAP + j * (w + GAP);
      const place = `translate(${left} ${top + TITLE})`;
      const image = drawPixels(pixels, row, chosen, options, colourOf);
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
    return heading + panels.join("\n");
  });
  const total = { width: GAP + 4 * (w + GAP), height: GAP + lines.length * (TITLE + h + CAPTION + GAP) };
  return picture(total.width, total.height, "Explanations of images", lines);
}

function titleOf({ prediction, probability }: Explanation): string {
  return `Predicted ${prediction} (${probability > 0.995 ? "> 0.99" : probability.toFixed(2)})`;
}

function panelsOf(
  model: Model,
  row: Row,
  { contributions, support, sufficient, status }: Explanation,
): { caption: string; chosen: ReadonlySet<string> }[] {
  const k = sufficient.length;
  const smallest = status === "optimal" ? "sufficient" : `sufficient, ${status}`;
  return [
    {
      caption: `all features (${contributions.length})`,
      chosen: new Set(contributions.map(({ column }) => column)),
    },
    { caption: `support (${support.length})`, chosen: new Set(support) },
    { caption: `top ${k} by weight`, chosen: new Set(topByWeight(model, row, k, { extra: "ignore" })) },
    { caption: `${smallest} (${k})`, chosen: new Set(sufficient) },
  ];
}

/** One rectangle per run of equal pixels in a line. */
function drawPixels(
  pixels: readonly string[],
  row: Row,
  chosen: ReadonlySet<string>,
  { width, height, scale = 5 }: DrawPanelsOptions,
  colourOf: (value: unknown) => string,
): string {
  const colours = pixels.map((name) => (chosen.has(name) ? colourOf(cell(row, name)) : GREY));
  const runs: string[] = [
    element("rect", {
      width: width * scale,
      height: height * scale,
      fill: GREY,
      "shape-rendering": "crispEdges",
    }),
  ];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; ) {
      const fill = colours[y * width + x];
      let end = x + 1;
      while (end < width && colours[y * width + end] === fill) end++;
      const place = { x: x * scale, y: y * scale, width: (end - x) * scale, height: scale };
      if (fill !== GREY) runs.push(element("rect", { ...place, fill, "shape-rendering": "crispEdges" }));
      x = end;
    }
  }
  return runs.join("");
}

/** Shades from black for 0 to white for `white`. */
function shadesUpTo(white: number): (value: unknown) => string {
  return (value) => {
    const number = Number(value);
    if (Number.isNaN(number)) return GREY; // a text has no shade
    const share = Math.min(1, Math.max(0, number / white));
    const byte = Math.round(255 * share)
      .toString(16)
      .padStart(2, "0");
    return `#${byte}${byte}${byte}`;
  };
}

function checkSize(pixels: readonly string[], { width, height, scale = 5 }: DrawPanelsOptions): void {
  requireInteger("options.width", width, 1);
  requireInteger("options.height", height, 1);
  requireInteger("options.scale", scale, 1);
  if (width * height === pixels.length) return;
  const message = `options: an image of ${width} × ${height} has ${width * height} pixels, got ${pixels.length} columns`;
  throw new ConformantError("invalid-argument", message, {
    argument: "options",
    value: show(width * height),
  });
}
