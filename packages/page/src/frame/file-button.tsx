import type { ComponentChildren } from "preact";

interface FileButtonProps {
  /** What stands on it. */
  readonly children: ComponentChildren;
  /** The endings and types that are offered. */
  readonly accept: string;
  readonly onTake: (file: File) => void;
}

/** A button that opens a file of the reader's. */
export function FileButton({ children, accept, onTake }: FileButtonProps) {
  return (
    <label class="file">
      {children}
      <input
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = ""; // the same file may be chosen again, when it was mended
          if (file) onTake(file);
        }}
      />
    </label>
  );
}
