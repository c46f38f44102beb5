import { isRegression } from "conformant";
import { describeModel, describeRegression } from "conformant-workbench/describe";
import type { Command } from "../options/command.ts";
import { descriptionText, regressionText } from "./description-text.ts";
import { readAnyModel } from "./read-model.ts";

export const inspect: Command = {
  name: "inspect",
  summary: "summarize a model: classes, columns, weights, effect of missing values, certificate",
  arguments: ["MODEL"],
  options: { json: { help: "print JSON" } },
  example: "conformant inspect penguins.json",
  run: async (parsed, { print }) => {
    const model = readAnyModel(parsed.positionals[0]);
    if (isRegression(model)) {
      const description = describeRegression(model);
      print(parsed.flag("json") ? JSON.stringify(description, null, 2) : regressionText(description));
      return;
    }
    const description = describeModel(model);
    print(parsed.flag("json") ? JSON.stringify(description, null, 2) : descriptionText(description));
  },
};
