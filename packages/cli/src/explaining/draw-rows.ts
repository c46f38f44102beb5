import { drawContributions, drawPanels, type Model } from "conformant";
import { CliError } from "../errors.ts";
import type { ExplainedRow } from "./explain-rows.ts";

/** Pixels per line, and lines. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** `28x28`, which must be the number of columns the model has. */
export function readImageSize(text: string, model: Model): ImageSize {
  const [, width, height] = (/^(\d+)[x×](\d+)$/i.exec(text.trim()) ?? []).map(Number);
  if (!(width > 0 && height > 0))
    throw new CliError("usage", `--image must be WIDTHxHEIGHT, e.g. 28x28, got "${text}"`);
  const { length } = model.classifier.schema.columns;
  if (width * height === length) return { width, height };
  throw new CliError(
    "usage",
    `--image ${text} has ${width * height} pixels, but the model has ${length} columns`,
  );
}

/** Explanations as an SVG: the paper's four panels for each image, else the bars of one row. */
export function drawRows(model: Model, rows: readonly ExplainedRow[], image: ImageSize | undefined): string {
  if (image) return drawPanels(model, rows, image);
  if (rows.length === 1) return drawContributions(rows[0].explanation);
  throw new CliError("usage", "--svg draws one row of a table, DATA has several", {
    hint: "choose one with --row N",
  });
}
