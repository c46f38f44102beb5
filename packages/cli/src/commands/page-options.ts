import { basename } from "node:path";
import { grouped, type OptionSpecs, type Parsed } from "../options/command.ts";
import type { PageOptions } from "../server/page-settings.ts";

/** Options of the commands that create a page, where the command line meets their requirements. */
export function pageOptions(requires: readonly string[]): OptionSpecs {
  return grouped("Page options", {
    title: { takes: "TEXT", requires, help: "title above the form" },
    labels: {
      takes: "FILE",
      requires,
      help: "JSON file with display names, units, descriptions and groups of columns, values and classes",
    },
    questionnaire: {
      takes: "FILE",
      requires,
      help: "questions to ask in order, as conformant ask --tree 3 --json prints them",
    },
  });
}

export function readPageOptions(parsed: Parsed): PageOptions {
  const [model] = parsed.positionals;
  return {
    ...Object.fromEntries(Object.keys(pageOptions([])).map((name) => [name, parsed.text(name)])),
    ...(model !== undefined && model !== "-" && { name: basename(model) }),
  };
}
