import type { Model, Questionnaire } from "conformant";
import { useState } from "preact/hooks";
import { ASKING } from "../frame/texts.ts";
import { readQuestionnaire } from "./read-questionnaire.ts";

interface QuestionnaireFileProps {
  readonly model: Model;
  readonly onTake: (questionnaire: Questionnaire) => void;
}

/** A place for a questionnaire, where the page came without one. */
export function QuestionnaireFile({ model, onTake }: QuestionnaireFileProps) {
  const [failure, setFailure] = useState<string>();
  const take = async (file: File): Promise<void> => {
    try {
      onTake(readQuestionnaire(model, await file.text()));
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <>
      <label class="file">
        {ASKING.open}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file) void take(file);
          }}
        />
      </label>{" "}
      <span class="note">{ASKING.openNote}</span>
      {failure !== undefined && (
        <p class="unlike" role="alert">
          {failure}
        </p>
      )}
    </>
  );
}
