import type { Model, Questionnaire } from "conformant";
import { JsonFile } from "../frame/json-file.tsx";
import { ASKING } from "../frame/texts.ts";
import { readQuestionnaire } from "./read-questionnaire.ts";

interface QuestionnaireFileProps {
  readonly model: Model;
  readonly onTake: (questionnaire: Questionnaire) => void;
}

/** A place for a questionnaire, where the page came without one. */
export function QuestionnaireFile({ model, onTake }: QuestionnaireFileProps) {
  return (
    <>
      <span class="note">{ASKING.openNote}</span>{" "}
      <JsonFile onText={(text) => onTake(readQuestionnaire(model, text))}>{ASKING.open}</JsonFile>
    </>
  );
}
