/** An array that is kept from call to call: loops over blocks of rows would otherwise wait for fresh memory at every block. */
export class Scratch {
  #kept = new Float64Array(0);

  /** So many numbers, whatever they are; good until the next call. */
  take(count: number): Float64Array {
    if (this.#kept.length < count) this.#kept = new Float64Array(count);
    return this.#kept.length === count ? this.#kept : this.#kept.subarray(0, count);
  }
}
