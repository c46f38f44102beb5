import type { Model } from "conformant";
import { decisionInWords } from "conformant/internal";
import {
  type DrawPanelsOptions,
  drawContributions,
  drawPanels,
  type ExplainedImage,
} from "conformant-workbench";
import { CliError, quoted } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";
import type { ExplainedRow } from "./explain-rows.ts";

/** Pixels per line, and lines. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** `28x28`. */
export function readImageSize(text: string): ImageSize {
  const [, width, height] = (/^(\d+)[x×](\d+)$/i.exec(text.trim()) ?? []).map(Number);
  if (width > 0 && height > 0) return { width, height };
  throw new CliError("usage", `--image must be WIDTHxHEIGHT, e.g. 28x28, got ${quoted(text)}`);
}

/**
 * The names of the pixels, line by line: the model's columns, or those of the table where the model left out pixels that
 * never change.
 */
export function pixelNames({ width, height }: ImageSize, model: Model, connector: Connector): string[] {
  const own = model.schema.columns.map(({ name }) => name);
  const all = connector.columns.map(({ name }) => name).filter((name) => name !== model.predictor.label);
  const pixels = [own, all].find((names) => names.length === width * height);
  if (pixels) return pixels;
  throw new CliError(
    "usage",
    `--image ${width}x${height} has ${width * height} pixels, but the model has ${own.length} columns and ${quoted(connector.name)} ${all.length} besides the label`,
  );
}

/** Explanations as an SVG: a line of panels for each image, else the bars of one row. */
export function drawRows(
  model: Model,
  rows: readonly ExplainedRow[],
  image: DrawPanelsOptions | undefined,
): string {
  if (image) return drawPanels(model, rows.map(titled), image);
  if (rows.length === 1) return drawContributions(rows[0].explanation);
  throw new CliError("usage", "--svg draws one row of a table, DATA has several", {
    hint: "choose one with --row N",
  });
}

function titled({ number, row, explanation }: ExplainedRow): ExplainedImage {
  return { row, explanation, title: `Row ${number}. ${decisionInWords(explanation)}` };
}
