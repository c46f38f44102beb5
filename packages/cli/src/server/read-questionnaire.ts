import type { Model, Questionnaire } from "conformant";
import { valueLabels } from "conformant/internal";
import { CliError, quoted } from "../errors.ts";
import { requireModelColumn } from "../options/unknown-column.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";
import { responseSchemas } from "./response-schemas.ts";

/** Reads a questionnaire of `ask --tree --json`, and checks that the model has what it asks for. */
export function readQuestionnaire(path: string, model: Model): Questionnaire {
  const tree = parse(readTextFile(path));
  if (!tree)
    throw new CliError("invalid-value", `--questionnaire ${quoted(path)} is no questionnaire`, {
      hint: "conformant ask MODEL --tree 3 --json > FILE makes one",
    });
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const names = schema.columns.map(({ name }) => name);
  const check = ({ prediction, question }: Questionnaire): void => {
    if (!classes.includes(prediction)) throw otherModel(path, prediction);
    if (!question) return;
    requireModelColumn(`--questionnaire ${quoted(path)} asks for`, question.column, names);
    const column = schema.columns[names.indexOf(question.column)];
    const known = column.kind === "numeric" ? [] : valueLabels(column);
    for (const { values = [], next } of question.branches) {
      const stranger = values.find((value) => !known.includes(value));
      if (stranger !== undefined) throw otherModel(path, `${column.name} = ${stranger}`);
      check(next);
    }
  };
  check(tree);
  return tree;
}

function parse(text: string): Questionnaire | undefined {
  try {
    return responseSchemas.tree.safeParse(JSON.parse(text)).data as Questionnaire | undefined;
  } catch {
    return undefined;
  }
}

function otherModel(path: string, what: string): CliError {
  const message = `--questionnaire ${quoted(path)} speaks of ${quoted(what)}, which the model does not know`;
  return new CliError("invalid-value", message);
}
