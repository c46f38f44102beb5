import { grouped, type OptionSpecs, type Parsed } from "../options/command.ts";
import type { PageOptions } from "../server/page-settings.ts";

/** Options of the commands that make a page, where the command line has what they require. */
export function pageOptions(requires: readonly string[]): OptionSpecs {
  return grouped("Page options", {
    title: { takes: "TEXT", requires, help: "title above the form" },
    labels: {
      takes: "FILE",
      requires,
      excludes: ["image"],
      help: "JSON file with display names, units, descriptions and groups of columns, values and classes",
    },
    questionnaire: {
      takes: "FILE",
      requires,
      excludes: ["image"],
      help: "questions to ask in order, as conformant ask --tree 3 --json prints them",
    },
    image: {
      takes: "WxH",
      requires,
      help: "show the columns as the pixels of an image, row by row, e.g. 28x28",
    },
    samples: { takes: "FILE", requires: ["image"], help: "JSON file of images to choose from" },
  });
}

export function readPageOptions(parsed: Parsed): PageOptions {
  return Object.fromEntries(Object.keys(pageOptions([])).map((name) => [name, parsed.text(name)]));
}
