import type { OptionSpecs, Parsed } from "../../arguments/command.ts";
import type { PageOptions } from "../../server/page/page-settings.ts";

/** Options of the commands that make a page. */
export const pageOptions: OptionSpecs = {
  title: { takes: "TEXT", help: "a line to put above the form" },
  image: { takes: "WxH", help: "the columns are the pixels of an image, line by line, e.g. 28x28" },
  samples: { takes: "FILE", help: "with --image: a JSON file of images to choose from" },
};

export function readPageOptions(parsed: Parsed): PageOptions {
  return { title: parsed.text("title"), image: parsed.text("image"), samples: parsed.text("samples") };
}
