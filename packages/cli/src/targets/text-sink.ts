import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Transform, Writable } from "node:stream";
import * as zlib from "node:zlib";
import { createAtomicFile, outputError } from "../output/atomic-file.ts";
import { writeOut } from "../output/standard-streams.ts";

/** Text or UTF-8 bytes that are written as they come, with backpressure. */
export interface TextSink {
  readonly write: (text: string | Uint8Array) => Promise<void>;
  /** Completes the output; a file appears under its name only now. */
  readonly close: () => Promise<void>;
  /** Discards the output. */
  readonly discard: () => void;
}

/** A file (compressed where its name ends in .gz or .zst), written beside its target and renamed when complete. */
export function fileSink(target: string): TextSink {
  const file = createAtomicFile(target);
  // The file exists already. Opening must not create it again: a signal may have removed it meanwhile.
  const disk = createWriteStream(file.path, { flags: file.path === target ? "w" : "r+" });
  const stream: Writable = packer(target) ?? disk;
  if (stream !== disk) stream.pipe(disk);
  let failure: unknown;
  for (const part of new Set([stream, disk])) part.on("error", (thrown: Error) => (failure ??= thrown));
  const check = (): void => {
    if (failure !== undefined) throw outputError(target, failure);
  };
  return {
    write: async (text) => {
      check();
      if (!stream.write(text)) await roomOrFailure(stream, disk);
      check();
    },
    close: async () => {
      stream.end();
      if (!disk.closed) await once(disk, "close").catch(() => undefined);
      check();
      file.commit();
    },
    discard: () => {
      disk.destroy();
      file.discard();
    },
  };
}

/** Node 22.15 and later have it. */
const { createZstdCompress } = zlib as { readonly createZstdCompress?: () => Transform };

/** Whether .zst can be written. */
export const canPackZst = createZstdCompress !== undefined;

/** The compressor for the ending of a name. */
function packer(target: string): Transform | undefined {
  const [, ending] = /\.(gz|zst)$/i.exec(target) ?? [];
  if (ending === undefined) return undefined;
  return ending.toLowerCase() === "gz" ? zlib.createGzip() : createZstdCompress?.();
}

/** Waits until there is room again or writing has become impossible. */
async function roomOrFailure(stream: Writable, disk: Writable): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([once(stream, "drain", { signal }), once(disk, "close", { signal })]).catch(
    () => undefined,
  );
  done.abort();
}

/** Standard output. */
export function stdoutSink(): TextSink {
  return { write: async (text) => writeOut(text), close: async () => undefined, discard: () => undefined };
}
