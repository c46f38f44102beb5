import { loadCalibration, type Model, predictionSet } from "conformant";
import { useState } from "preact/hooks";
import { SETS } from "../frame/texts.ts";

interface CalibrationFileProps {
  readonly model: Model;
  readonly onTake: (calibrationText: string) => void;
}

/** A place for a calibration file, where the page came without one. */
export function CalibrationFile({ model, onTake }: CalibrationFileProps) {
  const [failure, setFailure] = useState<string>();
  const take = async (file: File): Promise<void> => {
    try {
      const text = await file.text();
      predictionSet(model, loadCalibration(text), {}); // which says if it is not for this model
      onTake(text);
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <details class="bring">
      <summary>{SETS.bring}</summary>
      <p class="note">{SETS.bringMeaning}</p>
      <label class="file">
        {SETS.choose}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file) void take(file);
          }}
        />
      </label>
      {failure !== undefined && (
        <p class="unlike" role="alert">
          {SETS.failed(failure)}
        </p>
      )}
    </details>
  );
}
