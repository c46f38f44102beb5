import type { Command } from "../arguments/command.ts";
import { describeModel } from "../inspecting/describe-model.ts";
import { descriptionText } from "../inspecting/description-text.ts";
import { readModel } from "./shared/read-model.ts";

export const inspect: Command = {
  name: "inspect",
  summary: "what is in a model: classes, columns, weights, what a gap is worth, certificate",
  arguments: ["MODEL"],
  options: { json: { help: "print it as JSON" } },
  example: "conformant inspect penguins.json",
  run: async (parsed, { print }) => {
    const description = describeModel(readModel(parsed.positionals[0]));
    print(parsed.flag("json") ? JSON.stringify(description, null, 2) : descriptionText(description));
  },
};
