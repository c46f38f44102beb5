import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Column } from "../../src/index.ts";

/** A problem and what scikit-learn found; `fixtures/train/make_fixtures.py` made it. */
export interface TrainFixture {
  readonly columns: readonly Column[];
  readonly cells: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly classCount: number;
  readonly l2: number;
  readonly rowWeights?: readonly number[];
  /** Standard deviation taken out of each slot. */
  readonly scale: readonly number[];
  /** slots × K. */
  readonly weights: readonly (readonly number[])[];
  readonly intercept: readonly number[];
  readonly objective: number;
}

const folder = new URL("../fixtures/train/", import.meta.url);

/** All of them by name. */
export const trainFixtures: readonly (readonly [string, TrainFixture])[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(new URL(name, folder), "utf8"))]);

/** The bar: weights of standardised columns, and intercepts, agree with scikit-learn's to this. */
export const AGREEMENT = 1e-4;

/** Weights, slots × K on the original scale, must be those of scikit-learn. */
export function expectWeights(own: Float64Array, { weights, scale, classCount: K }: TrainFixture): void {
  weights.forEach((row, slot) => {
    row.forEach((weight, k) => {
      expect(Math.abs(own[slot * K + k] - weight) * scale[slot]).toBeLessThan(AGREEMENT);
    });
  });
}
