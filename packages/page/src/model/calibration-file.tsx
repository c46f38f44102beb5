import { loadCalibration, type Model, predictionSet } from "conformant";
import { useState } from "preact/hooks";
import { FileButton } from "../frame/file-button.tsx";
import { SETS } from "../frame/texts.ts";

interface CalibrationFileProps {
  readonly model: Model;
  readonly onTake: (calibrationText: string) => void;
}

/** A place for a calibration file, where the page came without one, and the reason where it cannot be taken. */
export function CalibrationFile({ model, onTake }: CalibrationFileProps) {
  const [failure, setFailure] = useState("");
  const take = async (file: File): Promise<void> => {
    try {
      const text = await file.text();
      predictionSet(model, loadCalibration(text), {}); // which says if it is not for this model
      onTake(text);
    } catch (thrown) {
      setFailure(SETS.failed((thrown as Error).message));
    }
  };
  return (
    <details class="open-file">
      <summary>{SETS.open}</summary>
      <p class="note">{SETS.openMeaning}</p>
      <FileButton accept=".json,application/json" onTake={take}>
        {SETS.choose}
      </FileButton>
      {failure && (
        <p class="unlike" role="alert">
          {failure}
        </p>
      )}
    </details>
  );
}
