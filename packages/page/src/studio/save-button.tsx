import { useState } from "preact/hooks";
import { saveFile } from "../frame/save-file.ts";
import { sentencesOf, toFailure } from "../worker/to-failure.ts";

interface SaveButtonProps {
  readonly words: string;
  readonly name: string;
  readonly make: () => Promise<Blob>;
  /** The one button of a step that most people want. */
  readonly isPrimary?: boolean;
}

/** Makes a file and hands it over, one at a time; what goes wrong is said beside the button. */
export function SaveButton({ words, name, make, isPrimary = false }: SaveButtonProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(name, await make());
      setProblem(undefined);
    } catch (thrown) {
      setProblem(sentencesOf(toFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" class={isPrimary ? "primary" : ""} disabled={isBusy} onClick={() => void save()}>
        {words}
      </button>
      {problem !== undefined && (
        <p class="unlike" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
