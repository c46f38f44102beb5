import { afterEach, describe, expect, it, vi } from "vitest";
import { lendKernels } from "../../src/kernels/fast-kernels.ts";
import { type Kernels, TILE } from "../../src/kernels/kernels.ts";
import { openKernels } from "../../src/kernels/open-kernels.ts";
import { plainKernels } from "../../src/kernels/plain-kernels.ts";
import { simdKernels } from "../../src/kernels/simd-kernels.ts";
import { triangle } from "../../src/linalg/triangle.ts";
import { random } from "../../src/math/random.ts";

const g = random(3);
const normals = (count: number): Float64Array => Float64Array.from({ length: count }, () => g.normal());

/** The kernels of WebAssembly; every engine that runs the tests has them. */
function simd(room: number): Kernels {
  const kernels = simdKernels(room);
  if (!kernels) throw new Error("the engine has no WebAssembly with SIMD");
  return kernels;
}

function scored(kernels: Kernels, task: ReturnType<typeof tiles>): Float64Array {
  const { numbers, o, tilts, components, cells, count } = task;
  const out = kernels.numbers(TILE * count * components * (1 + tilts));
  kernels.scoreTiles(kernels.hold(numbers), o, tilts, components, kernels.hold(cells), TILE * count, out);
  return out.slice();
}

function tiles(o: number, tilts: number) {
  const [components, count] = [3, 2];
  const numbers = normals(components * (o + triangle(o) + tilts * (1 + o)));
  return { numbers, o, tilts, components, cells: normals(TILE * o * count), count };
}

/** Four positive definite matrices over n columns in lanes, and what is to be factorised of them. */
function factorTask(n: number, o: number) {
  const matrix = new Float64Array(4 * triangle(n));
  const mixes = Array.from({ length: 4 }, () => normals(n * n));
  mixes.forEach((mix, lane) => {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = i === j ? 0.5 : 0;
        for (let c = 0; c < n; c++) sum += mix[i * n + c] * mix[j * n + c];
        matrix[4 * (triangle(i) + j) + lane] = sum;
      }
    }
  });
  const columns = Int32Array.from({ length: n }, (_, i) => i).filter((i) => (i * 7) % n < o);
  return { matrix, columns, row: normals(4 * n) };
}

/** L and L⁻¹ b below it. */
function factorised(kernels: Kernels, { matrix, columns, row }: ReturnType<typeof factorTask>, from: number) {
  const held = kernels.integers(columns.length);
  held.set(columns);
  const u = columns.length - from;
  const work = kernels.numbers(4 * u * (u + 1));
  kernels.factorise(kernels.hold(matrix), held, from, work);
  kernels.solveRow(kernels.hold(row), 0, held, from, work, u);
  return lowerPart(work, u);
}

/** Entries above the diagonal are whatever was there. */
function lowerPart(work: Float64Array, u: number): number[] {
  return [...work].filter(
    (_, at) => Math.floor(at / 4) % Math.max(u, 1) <= Math.floor(at / (4 * Math.max(u, 1))),
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe("the kernels of WebAssembly", () => {
  it("score tiles as the plain ones do, to the last bit", () => {
    for (let o = 0; o <= 13; o++) {
      for (let tilts = 0; tilts <= 3; tilts++) {
        const task = tiles(o, tilts);
        expect([...scored(simd(10_000), task)]).toEqual([...scored(plainKernels, task)]);
      }
    }
  });

  it("factorise and solve as the plain ones do, to the last bit", () => {
    for (const [n, o] of [
      [1, 1],
      [5, 2],
      [9, 9],
      [12, 7],
      [13, 8],
    ] as const) {
      const task = factorTask(n, o);
      for (let from = 0; from < task.columns.length; from += 2) {
        expect(factorised(simd(10_000), task, from)).toEqual(factorised(plainKernels, task, from));
      }
    }
  });

  it("take exponentials as the plain ones do, to the last bit", () => {
    for (let width = 1; width < 70; width++) {
      const values = normals(30 * width).map((x, at) => (at % 11 === 5 ? Number.NEGATIVE_INFINITY : 300 * x));
      const plain = values.slice();
      plainKernels.exponentials(plain, 30, width);
      const kernels = simd(values.length);
      const held = kernels.hold(values);
      kernels.exponentials(held, 30, width);
      expect([...held]).toEqual([...plain]);
    }
  });

  it("add the scores of numbers as the plain ones do, to the last bit, gaps included", () => {
    for (const [columns, K, stride] of [
      [1, 1, 4],
      [3, 2, 8],
      [7, 5, 12],
      [54, 7, 512],
    ]) {
      const cells = normals(columns * stride).map((x, at) => (at % 3 === 1 ? Number.NaN : x));
      const [weights, gaps, start] = [normals(columns * K), normals(columns * K), normals(K * stride)];
      const plain = start.slice();
      plainKernels.addNumbers(cells, weights, gaps, K, plain);
      const kernels = simd(columns * (stride + 2 * K) + K * stride + 8);
      const held = kernels.hold(start);
      kernels.addNumbers(kernels.hold(cells), kernels.hold(weights), kernels.hold(gaps), K, held);
      expect([...held]).toEqual([...plain]);
    }
  });

  it("make probabilities of scores as the plain ones do, to the last bit, NaN where there are none", () => {
    for (let K = 1; K <= 9; K++) {
      const scores = normals(K * 40).map((x, at) => (at % 40 === 7 ? Number.NaN : 400 * x));
      const plain = new Float64Array(scores.length);
      plainKernels.classProbabilities(scores.slice(), K, plain);
      const kernels = simd(2 * scores.length + 8);
      const out = kernels.numbers(scores.length);
      kernels.classProbabilities(kernels.hold(scores), K, out);
      expect([...out]).toEqual([...plain]);
      expect([...out].filter(Number.isNaN)).toHaveLength(K);
    }
  });

  it("add up lines of tables as the plain ones do, to the last bit", () => {
    for (const groups of [1, 2, 5, 31]) {
      const table = normals(100 * TILE);
      const codes = Int32Array.from({ length: 33 * groups }, () => TILE * g.integer(100));
      const plain = new Float64Array(33 * TILE);
      plainKernels.addStates(table, codes, groups, plain);
      const kernels = simd(table.length + codes.length + plain.length + 8);
      const held = kernels.integers(codes.length);
      held.set(codes);
      const out = kernels.numbers(plain.length);
      kernels.addStates(kernels.hold(table), held, groups, out);
      expect([...out]).toEqual([...plain]);
    }
  });

  it("go through rows of entries, forth and back, as the plain ones do, to the last bit", () => {
    const entries = Int32Array.from({ length: 200 }, () => g.integer(40));
    const rowStart = Int32Array.of(0, 0, 3, 60, 61, 130, 200);
    const [base, table] = [normals(4), normals(4 * 40)];
    const residuals = normals(4 * 5).map((x, at) => (at < 4 ? 0 : at % 3 === 0 ? 0 : x));
    const pass = (kernels: Kernels): number[] => {
      const rows = kernels.holdEntries({ rowStart, entries });
      const scores = kernels.numbers(4 * 5);
      const sums = kernels.numbers(4 * 40).fill(0);
      kernels.scoreEntries(rows, 1, 6, kernels.hold(base), kernels.hold(table), scores);
      kernels.scatterEntries(rows, 1, 6, kernels.hold(residuals), sums);
      return [...scores, ...sums];
    };
    expect(pass(simd(10_000))).toEqual(pass(plainKernels));
  });

  it("are lent with a memory of their own, which others do not touch", () => {
    const sum = lendKernels(1000, (kernels) => {
      const own = kernels.numbers(500).fill(1);
      openKernels(1000).numbers(900).fill(7);
      lendKernels(1000, (others) => others.numbers(900).fill(9));
      return own.reduce((total, x) => total + x, 0);
    });
    expect(sum).toBe(500);
  });

  it("keep their constants when their memory grows", () => {
    for (const room of [10, 100_000, 1_000_000]) {
      const kernels = simd(room);
      const held = kernels.hold(Float64Array.of(-1, 0, -2));
      kernels.exponentials(held, 1, 3);
      expect(held[0]).toBeCloseTo(Math.exp(-1), 14);
      expect(held[2]).toBeCloseTo(Math.exp(-2), 14);
    }
  });
});

describe("the plain kernels", () => {
  it("factorise: L Lᵀ is the matrix, and L times the solution the row", () => {
    const { matrix, columns, row } = factorTask(8, 8);
    const u = columns.length;
    const work = new Float64Array(4 * u * (u + 1));
    plainKernels.factorise(matrix, columns, 0, work);
    plainKernels.solveRow(row, 0, columns, 0, work, u);
    const entry = (i: number, j: number, lane: number): number => {
      const value = work[4 * (i * u + j) + lane];
      return i === j ? 1 / value : value;
    };
    for (let lane = 0; lane < 4; lane++) {
      for (let i = 0; i < u; i++) {
        for (let j = 0; j <= i; j++) {
          let sum = 0;
          for (let c = 0; c <= j; c++) sum += entry(i, c, lane) * entry(j, c, lane);
          expect(sum).toBeCloseTo(matrix[4 * (triangle(i) + j) + lane], 11);
        }
        let sum = 0;
        for (let c = 0; c <= i; c++) sum += entry(i, c, lane) * work[4 * (u * u + c) + lane];
        expect(sum).toBeCloseTo(row[4 * i + lane], 11);
      }
    }
  });

  it("take exponentials within 4e-16 of Math.exp, and 0 where that is below 1e-307", () => {
    const values = Float64Array.from({ length: 20_000 }, (_, i) => (i === 0 ? 0 : -800 * g.uniform() ** 3));
    const given = values.slice();
    plainKernels.exponentials(values, 1, values.length);
    let worst = 0;
    values.forEach((value, at) => {
      const truth = Math.exp(given[at]);
      worst = Math.max(worst, truth < 1e-307 ? value : Math.abs(value - truth) / truth);
    });
    expect(worst).toBeLessThan(4e-16);
  });

  it("are taken where the engine has no WebAssembly, or more room is asked for than that may have", async () => {
    const { openKernels } = await import("../../src/kernels/open-kernels.ts");
    const own = await import("../../src/kernels/plain-kernels.ts");
    (await import("../../src/kernels/fast-kernels.ts")).useFastKernels();
    expect(openKernels(100)).not.toBe(own.plainKernels);
    expect(openKernels(1e9)).toBe(own.plainKernels);
    vi.resetModules();
    vi.stubGlobal("WebAssembly", undefined);
    const bare = await import("../../src/kernels/open-kernels.ts");
    (await import("../../src/kernels/fast-kernels.ts")).useFastKernels();
    const { plainKernels: plain } = await import("../../src/kernels/plain-kernels.ts");
    expect(bare.openKernels(100)).toBe(plain);
  });

  it("are taken where WebAssembly is forbidden", async () => {
    const forbidden = (): never => {
      throw new Error("Refused to compile WebAssembly because of the page's security policy");
    };
    vi.stubGlobal("WebAssembly", { Memory: WebAssembly.Memory, Module: forbidden, Instance: forbidden });
    const { openKernels } = await import("../../src/kernels/open-kernels.ts");
    const { plainKernels: plain } = await import("../../src/kernels/plain-kernels.ts");
    (await import("../../src/kernels/fast-kernels.ts")).useFastKernels();
    expect(openKernels(100)).toBe(plain);
  });

  it("are all there is until somebody goes through many rows", async () => {
    vi.resetModules();
    const { openKernels } = await import("../../src/kernels/open-kernels.ts");
    const { plainKernels: plain } = await import("../../src/kernels/plain-kernels.ts");
    expect(openKernels(100)).toBe(plain);
  });
});
