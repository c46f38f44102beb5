/** Pieces at least this long are kept as they are; shorter ones are copied together, as each costs memory of its own. */
const OWN_PIECE = 4096;
/** Bytes that short pieces are gathered in at a time. */
const SLAB = 65_536;

/** Bytes that come in pieces, however small: linear in time and, but for one slab, in memory. */
export class GatheredBytes {
  #pieces: Buffer[] = [];
  /** The last piece, as long as short ones can be copied to its end. */
  #slab: Buffer | undefined;
  #filled = 0;
  #length = 0;
  readonly #onGrowth: (bytes: number) => void;

  /** @param onGrowth is told how much is about to be held, and may throw */
  constructor(onGrowth: (bytes: number) => void) {
    this.#onGrowth = onGrowth;
  }

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    this.#onGrowth(this.#length + piece.length);
    this.#length += piece.length;
    // Most bodies are one piece.
    if (this.#pieces.length === 0 || piece.length >= OWN_PIECE) this.#keep(piece);
    else this.#copy(piece);
  }

  #keep(piece: Buffer): void {
    this.#closeSlab();
    this.#pieces.push(piece);
  }

  #copy(piece: Buffer): void {
    if (this.#slab === undefined || this.#filled + piece.length > SLAB) {
      this.#closeSlab();
      this.#slab = Buffer.allocUnsafe(SLAB);
      this.#pieces.push(this.#slab);
    }
    this.#filled += piece.copy(this.#slab, this.#filled);
  }

  #closeSlab(): void {
    if (this.#slab) this.#pieces[this.#pieces.length - 1] = this.#slab.subarray(0, this.#filled);
    this.#slab = undefined;
    this.#filled = 0;
  }

  /** Everything so far; nothing is left afterwards. */
  take(): Buffer {
    this.#closeSlab();
    const taken = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    return taken;
  }
}
