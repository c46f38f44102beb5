import { describeModel } from "conformant-workbench/describe";
import type { Command } from "../options/command.ts";
import { descriptionText } from "./description-text.ts";
import { readModel } from "./read-model.ts";

export const inspect: Command = {
  name: "inspect",
  summary: "summarize a model: classes, columns, weights, effect of missing values, certificate",
  arguments: ["MODEL"],
  options: { json: { help: "print JSON" } },
  example: "conformant inspect penguins.json",
  run: async (parsed, { print }) => {
    const description = describeModel(readModel(parsed.positionals[0]));
    print(parsed.flag("json") ? JSON.stringify(description, null, 2) : descriptionText(description));
  },
};
