import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Transform, Writable } from "node:stream";
import * as zlib from "node:zlib";
import { createAtomicFile, outputError } from "../output/atomic-file.ts";
import { writeOut } from "../output/standard-streams.ts";

/** Text, or its bytes in UTF-8, that is written as it comes, without more of it in memory than the other side can take. */
export interface TextSink {
  readonly write: (text: string | Uint8Array) => Promise<void>;
  /** Completes the output; before that a file does not exist under its name. */
  readonly close: () => Promise<void>;
  /** Gives up: nothing is left behind. */
  readonly discard: () => void;
}

/** A file (packed where its name ends in .gz or .zst), written beside its target and renamed when complete. */
export function fileSink(target: string): TextSink {
  const file = createAtomicFile(target);
  // The file is there already. Opening must not make it once more: it may have been taken away by a signal in between.
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

/** From Node 22.15 on. */
const { createZstdCompress } = zlib as { readonly createZstdCompress?: () => Transform };

/** Whether files can be packed as .zst. */
export const canPackZst = createZstdCompress !== undefined;

/** What packs a file as the end of its name says. */
function packer(target: string): Transform | undefined {
  const [, ending] = /\.(gz|zst)$/i.exec(target) ?? [];
  if (ending === undefined) return undefined;
  return ending.toLowerCase() === "gz" ? zlib.createGzip() : createZstdCompress?.();
}

/** Waits until there is room again or nothing can be written any more. */
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
