import { loadCalibration, type Model, predictionSet } from "conformant";
import { JsonFile } from "../frame/json-file.tsx";
import { SETS } from "../frame/texts.ts";

interface CalibrationFileProps {
  readonly model: Model;
  readonly onTake: (calibrationText: string) => void;
}

/** A place for a calibration file, where the page came without one. */
export function CalibrationFile({ model, onTake }: CalibrationFileProps) {
  const take = (text: string): void => {
    predictionSet(model, loadCalibration(text), {}); // which says if it is not for this model
    onTake(text);
  };
  return (
    <details class="open-file">
      <summary>{SETS.open}</summary>
      <p class="note">{SETS.openMeaning}</p>
      <JsonFile onText={take} describe={SETS.failed}>
        {SETS.choose}
      </JsonFile>
    </details>
  );
}
