import { TableError } from "../source/table-error.ts";

/** A file that is read in parts, and the host's decompression. */
export interface ArchiveFile {
  /** Its name in messages. */
  readonly name: string;
  readonly size: number;
  readonly read: (from: number, to: number) => Promise<Uint8Array>;
  /** Decompresses raw DEFLATE data (RFC 1951). */
  readonly inflate: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/** A file in a ZIP archive. */
interface ZipEntry {
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedSize: number;
  /** Where its local header begins. */
  readonly at: number;
}

/** The entries of an archive by name. */
export type ZipEntries = ReadonlyMap<string, ZipEntry>;

/** The signatures and lengths of the records that are read (APPNOTE.TXT 4.3). */
const END = { signature: 0x06054b50, length: 22 };
const END_64 = { signature: 0x06064b50, length: 56 };
const LOCATOR_64 = { signature: 0x07064b50, length: 20 };
const CENTRAL = { signature: 0x02014b50, length: 46 };
const LOCAL = { signature: 0x04034b50, length: 30 };
const LONGEST_COMMENT = 0xffff;
/** What stands in a 32-bit field whose value is in the ZIP64 record. */
const IN_64 = 0xffffffff;
const [STORED, DEFLATED] = [0, 8];
const ZIP64_FIELD = 1;

/** Reads the directory at the end of an archive. */
export async function readZipEntries(file: ArchiveFile): Promise<ZipEntries> {
  const { from, length } = await findDirectory(file);
  const directory = viewOf(await readExactly(file, from, length));
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + CENTRAL.length <= length && directory.getUint32(at, true) === CENTRAL.signature; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((o) =>
      directory.getUint16(at + o, true),
    );
    const nameAt = at + CENTRAL.length;
    if (nameAt + nameLength + extraLength > length) throw damaged(file);
    const name = new TextDecoder().decode(
      new Uint8Array(directory.buffer, directory.byteOffset + nameAt, nameLength),
    );
    const sizes = [24, 20, 42].map((o) => directory.getUint32(at + o, true));
    const [, packedSize, localAt] = widened(sizes, directory, nameAt + nameLength, extraLength);
    entries.set(name.replaceAll("\\", "/"), {
      method: directory.getUint16(at + 10, true),
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      packedSize,
      at: localAt,
    });
    at = nameAt + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** The sizes and the position of an entry; those that do not fit 32 bits are in its ZIP64 field, in the same order. */
function widened(sizes: readonly number[], directory: DataView, from: number, length: number): number[] {
  if (!sizes.includes(IN_64)) return [...sizes];
  for (let at = from; at + 4 <= from + length; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== ZIP64_FIELD) continue;
    let next = at + 4;
    return sizes.map((size) => {
      if (size !== IN_64) return size;
      next += 8;
      return Number(directory.getBigUint64(next - 8, true));
    });
  }
  return [...sizes];
}

async function findDirectory(file: ArchiveFile): Promise<{ from: number; length: number }> {
  const tailAt = Math.max(0, file.size - END.length - LONGEST_COMMENT);
  const tail = viewOf(await readExactly(file, tailAt, file.size - tailAt));
  for (let at = tail.byteLength - END.length; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END.signature) continue;
    const [length, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    if (from !== IN_64 && length !== IN_64) return { from, length };
    const locator = at - LOCATOR_64.length;
    if (locator < 0 || tail.getUint32(locator, true) !== LOCATOR_64.signature) throw damaged(file);
    const recordAt = Number(tail.getBigUint64(locator + 8, true));
    const record = viewOf(await readExactly(file, recordAt, END_64.length));
    if (record.getUint32(0, true) !== END_64.signature) throw damaged(file);
    return { from: Number(record.getBigUint64(48, true)), length: Number(record.getBigUint64(40, true)) };
  }
  throw damaged(file);
}

/** Bytes read at a time. */
const PIECE = 1 << 18;

/** The text of an entry in UTF-8, decompressed as it is read. */
export async function* readEntryText(
  file: ArchiveFile,
  entries: ZipEntries,
  name: string,
): AsyncGenerator<string> {
  const entry = entries.get(name);
  if (!entry) throw damaged(file);
  if (entry.isEncrypted || (entry.method !== STORED && entry.method !== DEFLATED))
    throw new TableError(
      "unreadable-file",
      `"${file.name}" is encrypted, expected a workbook without a password`,
    );
  const local = viewOf(await readExactly(file, entry.at, LOCAL.length));
  if (local.getUint32(0, true) !== LOCAL.signature) throw damaged(file);
  const from = entry.at + LOCAL.length + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = readPieces(file, from, from + entry.packedSize);
  const decoder = new TextDecoder();
  try {
    for await (const bytes of entry.method === DEFLATED ? file.inflate(packed) : packed)
      yield decoder.decode(bytes, { stream: true });
  } catch (thrown) {
    throw thrown instanceof TableError ? thrown : damaged(file, thrown);
  }
  yield decoder.decode();
}

async function* readPieces(file: ArchiveFile, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE) yield await readExactly(file, at, Math.min(PIECE, to - at));
}

async function readExactly(file: ArchiveFile, from: number, length: number): Promise<Uint8Array> {
  if (from < 0 || length < 0 || from + length > file.size) throw damaged(file);
  return file.read(from, from + length);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function damaged(file: ArchiveFile, cause?: unknown): TableError {
  return new TableError(
    "unreadable-file",
    `"${file.name}" is cut off or damaged, expected an Excel workbook`,
    {
      cause,
    },
  );
}
