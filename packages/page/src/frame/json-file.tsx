import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { FileButton } from "./file-button.tsx";

interface JsonFileProps {
  readonly children: ComponentChildren;
  /** Takes the text of the file; what it throws is shown. */
  readonly onText: (text: string) => void;
  /** A sentence about what was thrown. */
  readonly describe?: (failure: string) => string;
}

/** A button that opens a file of JSON, and the reason where it cannot be taken. */
export function JsonFile({ children, onText, describe = (failure) => failure }: JsonFileProps) {
  const [failure, setFailure] = useState<string>();
  const take = async (file: File): Promise<void> => {
    try {
      onText(await file.text());
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <>
      <FileButton accept=".json,application/json" onTake={(file) => void take(file)}>
        {children}
      </FileButton>
      {failure !== undefined && (
        <p class="unlike" role="alert">
          {describe(failure)}
        </p>
      )}
    </>
  );
}
