import { once } from "node:events";
import { constants, readFileSync, readlinkSync } from "node:fs";
import { Readable } from "node:stream";
import { CliError } from "../errors.ts";

/** Standard output and input, in whichever thread the command runs. */
interface StandardStreams {
  /** Writes a text or bytes, and waits until there is room for more. */
  readonly write: (text: string | Uint8Array) => Promise<void>;
  readonly read: () => Readable;
}

let streams: StandardStreams = {
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  },
  read: () => process.stdin,
};

/** Writes results to standard output. */
export function writeOut(text: string | Uint8Array): Promise<void> {
  return streams.write(text);
}

let isInputRead = false;

/** Throws where standard input, which can be read only once, has been read. */
export function claimInput(): void {
  if (isInputRead) throw new CliError("usage", "standard input can be read once, got - twice");
  isInputRead = true;
}

/** Standard input after its beginning was read, with the beginning. */
let peeked: Readable | undefined;

/** At least `length` bytes from the beginning of standard input, or all of it; {@link standardInput} still gives them. */
export async function peekInput(length: number): Promise<Buffer> {
  const rest = standardInput()[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  for (let bytes = 0; bytes < length; bytes += head[head.length - 1].length) {
    const { done, value } = await rest.next();
    if (done) break;
    head.push(Buffer.from(value));
  }
  const both = async function* (): AsyncGenerator<Buffer> {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  };
  peeked = Readable.from(both(), { objectMode: false });
  isInputRead = false;
  return Buffer.concat(head);
}

/** Standard input, read on demand. */
export function standardInput(): Readable {
  claimInput();
  return peeked ?? streams.read();
}

/** In a thread, which has no streams of its own: uses these instead. */
export function redirectStreams(others: StandardStreams): void {
  peeked = undefined;
  streams = others;
  isInputRead = false;
}

const SHELLS = /^-?(sh|bash|dash|ash|busybox|zsh|ksh|ksh93|mksh|fish|tcsh|csh)$/;

/**
 * Whether a shell has closed standard output (`>&-`). Node then opens /dev/null in its place, for reading and writing, and what is written
 * is lost. Programs that start others without output open it in the same way, but they are no shells, or have it themselves. Only Linux tells.
 */
export function isOutputClosed(): boolean {
  try {
    const flags = Number.parseInt(
      /^flags:\s*(\d+)/m.exec(readFileSync("/proc/self/fdinfo/1", "utf8"))?.[1] ?? "",
      8,
    );
    const parent = readFileSync(`/proc/${process.ppid}/comm`, "utf8").trim();
    const isNull = (process: string | number): boolean => linkOf(`/proc/${process}/fd/1`) === "/dev/null";
    return SHELLS.test(parent) && (flags & constants.O_RDWR) !== 0 && isNull("self") && !isNull(process.ppid);
  } catch {
    return false;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
