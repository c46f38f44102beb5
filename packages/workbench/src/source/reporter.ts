import type { Progress } from "conformant";

/** Receives progress and messages. */
export interface Reporter {
  readonly warn: (text: string) => void;
  /** Shows progress; `done` of `total` where both are known, and an intermediate result. */
  readonly progress: (what: string, done?: number, total?: number, detail?: string) => void;
  /** Receives the sizes of a mixture compared so far, and the likelihood of held-out rows under each. */
  readonly tried?: (sizes: NonNullable<Progress["tried"]>) => void;
}
