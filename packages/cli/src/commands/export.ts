import type { Command } from "../arguments/command.ts";
import { usage } from "../arguments/parse-command-line.ts";
import { pageOptions, readPageOptions } from "./page-options.ts";
import { readModel } from "./read-model.ts";

export const exportModel: Command = {
  name: "export",
  summary: "a model in another form: a page that runs in the browser alone",
  arguments: ["MODEL"],
  options: {
    to: { takes: "FORMAT", help: "what to make", choices: ["page"] },
    output: { short: "o", takes: "DIR", help: "the folder to write to" },
    ...pageOptions,
  },
  example: "conformant export penguins.json --to page -o penguins-page",
  run: async (parsed, { messages }) => {
    const folder = parsed.text("output");
    if (parsed.text("to") === undefined) throw usage(exportModel, "export needs --to page");
    if (folder === undefined) throw usage(exportModel, "export needs -o DIR");
    const { exportPage } = await import("../interop/export-page.ts");
    exportPage(readModel(parsed.positionals[0]), folder, readPageOptions(parsed));
    messages.note(`page written to ${folder}; any file server can offer it`);
  },
};
