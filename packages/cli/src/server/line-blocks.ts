import { tooLarge } from "./body-limits.ts";
import { GatheredBytes } from "./gathered-bytes.ts";

/** Some whole lines of a stream. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** How many of the lines are not blank. */
  readonly lines: number;
}

const [NEWLINE, SPACE] = [10, 32];

/** Cuts a stream into blocks of whole lines. Every byte is looked at once, in pieces of any size. */
export class LineBlocks {
  readonly #linesPerBlock: number;
  readonly #longestLine: number;
  /** The beginning of a line whose end has not come. */
  readonly #rest: GatheredBytes;
  #restIsBlank = true;
  #lines = 0;

  constructor(linesPerBlock: number, longestLine: number, onGrowth: (bytes: number) => void) {
    this.#linesPerBlock = linesPerBlock;
    this.#longestLine = longestLine;
    this.#rest = new GatheredBytes(onGrowth);
  }

  /** The lines that have come so far, without blank ones. */
  get lines(): number {
    return this.#lines;
  }

  /** The blocks that a piece completes; blank lines make none. */
  push(piece: Buffer): LineBlock[] {
    const blocks: LineBlock[] = [];
    let [blockStart, lineStart, lines] = [0, -this.#rest.length, 0];
    let blank = this.#restIsBlank;
    const cut = (end: number): void => {
      const bytes = this.#withRest(piece.subarray(blockStart, end));
      if (lines > 0) blocks.push({ bytes, lines });
      this.#lines += lines;
      [blockStart, lines] = [end, 0];
    };
    for (let at = 0; at < piece.length; at++) {
      if (piece[at] > SPACE) blank = false;
      else if (piece[at] === NEWLINE) {
        if (at - lineStart > this.#longestLine) throw tooLarge(this.#longestLine);
        if (!blank) lines++;
        [lineStart, blank] = [at + 1, true];
        if (lines === this.#linesPerBlock) cut(lineStart);
      }
    }
    if (lineStart > blockStart) cut(lineStart);
    if (piece.length - lineStart > this.#longestLine) throw tooLarge(this.#longestLine);
    if (blockStart < piece.length) this.#rest.append(piece.subarray(blockStart));
    this.#restIsBlank = blank;
    return blocks;
  }

  /** The last line, if it has no end of its own. */
  end(): LineBlock[] {
    return this.#restIsBlank ? [] : [{ bytes: this.#rest.take(), lines: 1 }];
  }

  #withRest(bytes: Buffer): Buffer {
    if (this.#rest.length === 0) return bytes;
    this.#rest.append(bytes);
    return this.#rest.take();
  }
}
