/** Who is told what goes on. */
export interface Reporter {
  readonly warn: (text: string) => void;
  /** Shows that something is going on; `done` of `total` where both are known, and what has come of it so far. */
  readonly progress: (what: string, done?: number, total?: number, detail?: string) => void;
}
