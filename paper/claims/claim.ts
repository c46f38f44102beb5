import { fileURLToPath } from "node:url";

/** What a program of this folder found. */
export interface Finding {
  readonly holds: boolean;
  /** Sentences with the numbers. */
  readonly found: readonly string[];
}

/** A claim of the paper that is not about data, and the program that looks whether it is so. */
export interface Claim {
  /** As the paper numbers it. */
  readonly title: string;
  /** What the paper says, in a sentence. */
  readonly says: string;
  readonly look: () => Finding;
}

/** Prints the claim and what was found, where its file is the program that was started. */
export function printWhenMain(file: string, { title, says, look }: Claim): void {
  if (process.argv[1] !== fileURLToPath(file)) return;
  const { holds, found } = look();
  console.log(`${title}: ${says}`);
  for (const line of found) console.log(`  ${line}`);
  console.log(holds ? "  It holds." : "  IT DOES NOT HOLD.");
}
