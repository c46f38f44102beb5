import type { OptionSpecs, Parsed } from "../options/command.ts";
import type { PageOptions } from "../server/page-settings.ts";

/** Options of the commands that make a page. */
export const pageOptions: OptionSpecs = {
  title: { takes: "TEXT", help: "a line to put above the form" },
  labels: {
    takes: "FILE",
    help: "what people call columns, values and classes, with units, descriptions and groups: a JSON file",
  },
  questionnaire: { takes: "FILE", help: "questions to follow, as ask --tree 3 --json prints them" },
};

export function readPageOptions(parsed: Parsed): PageOptions {
  return Object.fromEntries(Object.keys(pageOptions).map((name) => [name, parsed.text(name)]));
}
