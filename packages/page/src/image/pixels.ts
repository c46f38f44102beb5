import type { Model, Row } from "conformant";
import type { ColumnShape } from "../model/column-shape.ts";

/** An image of which parts may be hidden: a value per pixel, line by line, and what of it is known. */
export interface Image {
  /** 0 or 1 per pixel: without and with ink. */
  readonly ink: Uint8Array;
  /** 1 where a pixel is hidden. */
  readonly hidden: Uint8Array;
}

export function blankImage(pixels: number): Image {
  return { ink: new Uint8Array(pixels), hidden: new Uint8Array(pixels) };
}

/** An image from its text of zeros and ones. */
export function readImage(pixels: string): Image {
  return { ink: Uint8Array.from(pixels, Number), hidden: new Uint8Array(pixels.length) };
}

/** The known pixels as a row of the model; ink is the largest value of a pixel, and its absence the least. */
export function rowOfImage(model: Model, shapes: readonly ColumnShape[], { ink, hidden }: Image): Row {
  const row: Record<string, number> = {};
  model.schema.columns.forEach(({ name, kind }, i) => {
    if (hidden[i]) return;
    const shape = shapes[i];
    row[name] =
      kind === "binary" || shape.kind === "choice" ? ink[i] : ink[i] ? shape.high : Math.max(0, shape.low);
  });
  return row;
}

/** What a brush does to the pixels under it. */
export type Brush = "hide" | "show" | "draw" | "rub";

/** Changes the pixels under a square brush around a point: fine for ink, broad for hiding. */
export function paint(image: Image, width: number, at: number, brush: Brush): Image {
  const inked = brush === "draw" || brush === "rub";
  const radius = inked ? 1 : 2;
  const [ink, hidden] = [image.ink.slice(), image.hidden.slice()];
  const [x, y] = [at % width, Math.floor(at / width)];
  const height = ink.length / width;
  for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
    for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
      if (inked) ink[v * width + u] = brush === "draw" ? 1 : 0;
      hidden[v * width + u] = brush === "hide" ? 1 : 0;
    }
  }
  return { ink, hidden };
}
