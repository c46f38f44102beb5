import { once } from "node:events";
import type { Readable } from "node:stream";

/** Standard output and input, wherever the command runs. */
interface StandardStreams {
  /** Writes text and waits until there is room for more. */
  readonly write: (text: string) => Promise<void>;
  readonly read: () => Readable;
}

let streams: StandardStreams = {
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  },
  read: () => process.stdin,
};

/** Results, to standard output. */
export function writeOut(text: string): Promise<void> {
  return streams.write(text);
}

/** Standard input. Nothing of it is read before someone asks. */
export function standardInput(): Readable {
  return streams.read();
}

/** In a thread, which has no streams of its own: uses others. */
export function redirectStreams(others: StandardStreams): void {
  streams = others;
}
