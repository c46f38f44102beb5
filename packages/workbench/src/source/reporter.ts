import type { Progress } from "conformant";

/** Who is told what goes on. */
export interface Reporter {
  readonly warn: (text: string) => void;
  /** Shows that something is going on; `done` of `total` where both are known, and what has come of it so far. */
  readonly progress: (what: string, done?: number, total?: number, detail?: string) => void;
  /** Is told which sizes of a mixture were compared so far, and how likely held-out rows are under each. */
  readonly tried?: (sizes: NonNullable<Progress["tried"]>) => void;
}
