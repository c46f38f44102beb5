import type { Model, Questionnaire } from "conformant";
import { z } from "zod";
import { CliError, quoted } from "../errors.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";
import { type Labels, readLabels } from "./read-labels.ts";
import { readQuestionnaire } from "./read-questionnaire.ts";

/** How a model is shown. */
export interface PageOptions {
  /** A line above the form. */
  readonly title?: string | undefined;
  /** The columns are pixels, line by line: `28x28`, width first. */
  readonly image?: string | undefined;
  /** A JSON file of images to choose from, each `{ "name": "7", "pixels": "0010…" }`. */
  readonly samples?: string | undefined;
  /** A JSON file of what people call columns, values and classes. */
  readonly labels?: string | undefined;
  /** A JSON file of questions to follow. */
  readonly questionnaire?: string | undefined;
}

/** The file `page.json`, which the page reads first. */
export interface PageSettings {
  readonly title?: string;
  readonly image?: { readonly width: number; readonly height: number };
  readonly samples?: readonly { readonly name: string; readonly pixels: string }[];
  readonly labels?: Labels;
  readonly questionnaire?: Questionnaire;
  /** The page finds calibration rows in `calibration.json`. */
  readonly calibration?: true;
}

const samplesSchema = z.array(z.object({ name: z.string(), pixels: z.string().regex(/^[01]+$/) })).min(1);

/**
 * Checks the options against the model.
 *
 * @param calibrated whether the page gets calibration rows
 */
export function pageSettings(model: Model, options: PageOptions, calibrated: boolean): PageSettings {
  const { title, image, samples, labels, questionnaire } = options;
  if (samples !== undefined && image === undefined) {
    throw new CliError("usage", "--samples needs --image, as the samples are images");
  }
  const ofForm = Object.entries({ labels, questionnaire }).find(([, path]) => path !== undefined);
  if (image !== undefined && ofForm)
    throw new CliError("usage", `--${ofForm[0]} is for a form, and --image makes a page of an image`);
  const size = image === undefined ? undefined : readSize(model, image);
  return {
    ...(title !== undefined && { title }),
    ...(size && { image: size }),
    ...(size && samples !== undefined && { samples: readSamples(samples, size.width * size.height) }),
    ...(labels !== undefined && { labels: readLabels(labels, model) }),
    ...(questionnaire !== undefined && { questionnaire: readQuestionnaire(questionnaire, model) }),
    ...(calibrated && { calibration: true as const }),
  };
}

function readSize(model: Model, text: string): { width: number; height: number } {
  const [, width, height] = (/^(\d+)x(\d+)$/i.exec(text) ?? []).map(Number);
  if (!width || !height)
    throw new CliError("usage", `--image must be WIDTHxHEIGHT, such as 28x28, got ${quoted(text)}`);
  const { columns } = model.schema;
  if (width * height !== columns.length) {
    const message = `--image ${text} has ${width * height} pixels, but the model has ${columns.length} columns`;
    throw new CliError("usage", message);
  }
  const other = columns.find(({ kind }) => kind !== "binary" && kind !== "numeric");
  if (other) {
    throw new CliError(
      "usage",
      `--image needs 0/1 or numeric columns, but ${quoted(other.name)} is ${other.kind}`,
    );
  }
  return { width, height };
}

function readSamples(path: string, pixels: number): NonNullable<PageSettings["samples"]> {
  const samples = parse(readTextFile(path));
  const wrong = samples?.find((sample) => sample.pixels.length !== pixels);
  if (samples && !wrong) return samples;
  const need = `a list of { "name": text, "pixels": text of ${pixels} times 0 or 1 }`;
  throw new CliError("invalid-value", `--samples ${quoted(path)} must be ${need}`);
}

function parse(text: string): z.infer<typeof samplesSchema> | undefined {
  try {
    return samplesSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
