import { addOuter, type BlockMoments, noMoments } from "../../gaussian/moments.ts";
import { triangle } from "../../linalg/triangle.ts";
import type { FactorSeeds, FactorSums } from "../factors/factor-in-fit.ts";
import type { BlockFrame } from "./block-frame.ts";

/** The moments that EM begins with: a gap counts as the column's mean, with its variance. */
export class BlockSeeds implements FactorSeeds {
  readonly #frame: BlockFrame;
  readonly #own: readonly (BlockMoments & { readonly total: Float64Array })[];

  constructor(frame: BlockFrame, M: number) {
    const n = frame.origin.length;
    this.#frame = frame;
    this.#own = Array.from({ length: M }, () => ({ ...noMoments(n), total: new Float64Array(1) }));
  }

  add(m: number, cells: Float64Array, r: number, weight: number): void {
    const { origin, covariance } = this.#frame;
    const { sum, product, total } = this.#own[m];
    const n = origin.length;
    const row = origin.map((mean, i) => (Number.isNaN(cells[r * n + i]) ? 0 : cells[r * n + i] - mean));
    addOuter(sum, product, row, weight);
    for (let i = 0; i < n; i++)
      if (Number.isNaN(cells[r * n + i])) product[triangle(i) + i] += weight * covariance[i * n + i];
    total[0] += weight;
  }

  sums(spread = (own: readonly Float64Array[]): readonly Float64Array[] => own): FactorSums {
    const totals = spread(this.#own.map(({ total }) => total));
    const sums = spread(this.#own.map(({ sum }) => sum));
    const products = spread(this.#own.map(({ product }) => product));
    return { moments: totals.map(([weight], m) => ({ weight, sum: sums[m], product: products[m] })) };
  }
}
