import type { Model, Questionnaire } from "conformant";
import { ASKING } from "../frame/texts.ts";

/** A questionnaire of `conformant ask --tree --json`, after a check that the model has what it asks for. */
export function readQuestionnaire(model: Model, text: string): Questionnaire {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(ASKING.wrongFile);
  }
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const check = (place: unknown): void => {
    const { prediction, probability, question } = (place ?? {}) as Partial<Questionnaire>;
    if (!classes.includes(String(prediction)) || typeof probability !== "number")
      throw new Error(ASKING.wrongFile);
    if (question === undefined) return;
    const { column: name, branches } = question;
    const column = schema.columns.find((own) => own.name === name);
    if (!column) throw new Error(ASKING.otherModel(String(name)));
    if (!Array.isArray(branches) || branches.length === 0) throw new Error(ASKING.wrongFile);
    for (const { values, next } of branches) {
      const known = column.kind === "categorical" ? column.values : ["0", "1"];
      if (values && !(Array.isArray(values) && values.every((value) => known.includes(value))))
        throw new Error(ASKING.otherModel(name));
      check(next);
    }
  };
  check(read);
  return read as Questionnaire;
}
