import { afterEach, describe, expect, it, vi } from "vitest";
import { createFastContext, fastContext, plainContext } from "../../src/kernels/context.ts";
import { type Eliminated, type FitKernels, type Kernels, PER_BIN, TILE } from "../../src/kernels/kernels.ts";

import { plainFitKernels } from "../../src/kernels/plain-fitting.ts";
import { plainKernels } from "../../src/kernels/plain-scoring.ts";
import { triangle } from "../../src/math/cholesky.ts";
import { random } from "../../src/math/random.ts";

const g = random(3);
const normals = (count: number): Float64Array => Float64Array.from({ length: count }, () => g.normal());

/** The kernels of WebAssembly; every engine that runs the tests has them. */
function simd(room: number): FitKernels {
  const kernels = createFastContext().use(room, (own) => own);
  if (kernels === plainFitKernels) throw new Error("the engine has no WebAssembly with SIMD");
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

/** Four positive definite matrices over n columns with two tilts in lanes, of which `depth` columns count as eliminated, and a row. */
function rowTask(n: number, o: number, depth: number, unit = 1) {
  const tilts = 2;
  const matrix = new Float64Array(4 * (triangle(n) + tilts * n)).map(() => g.normal());
  const mixes = Array.from({ length: 4 }, () => normals(n * n));
  mixes.forEach((mix, lane) => {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = i === j ? 0.5 : 0;
        for (let c = 0; c < n; c++) sum += mix[i * n + c] * mix[j * n + c];
        matrix[4 * (triangle(i) + j) + lane] = sum * unit ** 2;
      }
    }
  });
  const [gain, mean, roots] = [normals(4 * n * (n + tilts)), normals(4 * n), normals(8 * (n + 1))];
  const four = { n, tilts, depth, matrix, gain, mean, roots: roots.map(Math.abs) };
  const columns = Int32Array.from({ length: n }, (_, i) => i).filter((i) => (i * 7) % n < o);
  return { four, columns, cells: normals(n) };
}

function hold(kernels: Kernels, { four }: ReturnType<typeof rowTask>): Eliminated {
  const { matrix, gain, mean, roots } = four;
  const [lower, rows] = [kernels.hold(matrix), kernels.hold(gain)];
  return { ...four, matrix: lower, gain: rows, mean: kernels.hold(mean), roots: kernels.hold(roots) };
}

/** What conditioning on a row leaves, without entries above the diagonal, and the sums. */
function conditioned(kernels: Kernels, task: ReturnType<typeof rowTask>) {
  const { columns, cells } = task;
  const { n, tilts, depth } = task.four;
  const known = kernels.integers(n);
  known.set(columns);
  const counts = kernels.integers(1).fill(columns.length);
  const work = kernels.numbers(4 * n * (n + 3 + tilts));
  const sums = kernels.numbers(4 * (3 + 2 * tilts));
  kernels.conditionRows(hold(kernels, task), kernels.hold(cells), known, counts, 0, 1, work, sums);
  const u = columns.length - depth;
  const left = [...work].slice(0, 4 * (depth + u * (u + 1 + tilts)));
  const above = (lane: number): boolean => lane >= 0 && lane < u * u && lane % u > Math.floor(lane / u);
  return { left: left.filter((_, at) => !above(Math.floor(at / 4) - depth)), sums: [...sums] };
}

/** What is left when one more column is eliminated, as far as it is written. */
function eliminated(kernels: Kernels, task: ReturnType<typeof rowTask>, column: number) {
  const four = hold(kernels, task);
  const to = kernels.numbers(four.matrix.length).fill(0);
  kernels.eliminate(four, column, to, kernels.numbers(4 * (four.n + four.tilts)));
  return [...to, ...four.gain, ...four.roots];
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

  it("condition on rows and eliminate columns as the plain ones do, to the last bit", () => {
    for (const [n, o] of [
      [1, 1],
      [5, 2],
      [9, 9],
      [12, 7],
      [13, 8],
    ] as const) {
      for (let depth = 0; depth <= o; depth++) {
        const task = rowTask(n, o, depth);
        expect(conditioned(simd(10_000), task)).toEqual(conditioned(plainKernels, task));
        const tiny = rowTask(n, o, depth, 1e-60);
        expect(conditioned(simd(10_000), tiny)).toEqual(conditioned(plainKernels, tiny));
        if (depth < n)
          expect(eliminated(simd(10_000), task, depth)).toEqual(eliminated(plainKernels, task, depth));
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
    const residuals = normals(6 * 5).map((x, at) => (at < 6 ? 0 : at % 3 === 0 ? 0 : x));
    const pass = (kernels: Kernels, line: number): number[] => {
      const rows = kernels.holdEntries({ rowStart, entries });
      const scores = kernels.numbers(line * 5).fill(0);
      const sums = kernels.numbers(4 * 40).fill(0);
      kernels.scoreEntries(rows, 1, 6, kernels.hold(base), kernels.hold(table), scores, line);
      kernels.scatterEntries(rows, 1, 6, kernels.hold(residuals), sums, line);
      return [...scores, ...sums];
    };
    for (const line of [4, 6]) expect(pass(simd(10_000), line)).toEqual(pass(plainKernels, line));
  });

  it("turn scores into shares of the rows' weights as the plain ones do, to the last bit", () => {
    for (const line of [2, 4, 12, 52]) {
      const scores = normals(30 * line).map((x, at) => (at % 11 === 5 ? Number.NEGATIVE_INFINITY : 60 * x));
      const weights = normals(30).map(Math.abs);
      const shares = (kernels: FitKernels): number[][] => {
        const [held, own] = [kernels.hold(scores.slice()), kernels.hold(weights)];
        const [largest, sums] = [kernels.numbers(30), kernels.numbers(30)];
        kernels.shareRows(held, line, own, 1e-18, { largest, sums });
        return [held, largest, sums].map((numbers) => [...numbers]);
      };
      const plain = shares(plainFitKernels);
      expect(shares(simd(10_000))).toEqual(plain);
      weights.forEach((weight, r) => {
        const all = plain[0].slice(r * line, (r + 1) * line).reduce((sum, share) => sum + share, 0);
        expect(Math.abs(all - weight)).toBeLessThan(1e-14);
      });
    }
  });

  it("fill tables over entries and drain them as the plain ones do, to the last bit", () => {
    const entryStart = Int32Array.of(0, 0, 3, 20, 21, 50);
    const changeSlot = Int32Array.from({ length: 50 }, () => g.integer(9));
    const changes = { entryStart, changeSlot, change: normals(50) };
    const [weights, sums] = [normals(4 * 9), normals(4 * 5)];
    const both = (kernels: FitKernels): number[] => {
      const held = kernels.holdChanges(changes);
      const [table, counts] = [kernels.numbers(4 * 5), kernels.numbers(4 * 9).fill(1)];
      kernels.fillTable(held, kernels.hold(weights), table);
      kernels.drainTable(held, kernels.hold(sums), counts);
      return [...table, ...counts];
    };
    expect(both(simd(10_000))).toEqual(both(plainFitKernels));
  });

  it("sum rows in bins, find cuts and divide rows as the plain ones do, to the last bit", () => {
    for (const [rows, count, wide] of [
      [1, 1, false],
      [7, 2, false],
      [300, 9, false],
      [500, 255, false],
      [400, 300, true],
    ] as const) {
      const codes = Array.from({ length: rows }, () => g.integer(count + 1));
      const derivatives = normals(2 * rows).map((x, at) => (at % 2 === 0 ? x : Math.abs(x)));
      const list = Int32Array.from(codes.keys()).filter((r) => r % 5 !== 2);
      const train = (kernels: FitKernels): number[] => {
        const bins = wide ? kernels.integers(rows) : kernels.bytes(rows);
        bins.set(codes);
        const [held, own] = [kernels.hold(derivatives), kernels.holdIntegers(list.slice())];
        const order = kernels.integers(count);
        for (let j = 0; j < count; j++) order[j] = count - 1 - j;
        const gathered = kernels.numbers(2 * rows);
        const [whole, part] = [0, 1].map(() => kernels.numbers(PER_BIN * (count + 3)).fill(0));
        const half = list.length >> 1;
        for (const [sums, from, to] of [
          [whole, 0, list.length],
          [part, half, list.length],
        ] as const) {
          kernels.gatherDerivatives(held, own, from, to, gathered);
          kernels.addToBins(bins, own, from, to, gathered, sums, 1);
        }
        kernels.subtractBins(whole, part);
        const out = [...whole, ...part];
        const totals = new Float64Array(3);
        part.forEach((x, at) => {
          totals[at % 3] += x;
        });
        for (const leastRows of [1, 3, 20]) {
          for (const direction of [undefined, order]) {
            const best = kernels.numbers(3).fill(0);
            const limits = { leastRows, leastCurvature: 1e-3, l2: 1 };
            const found = kernels.findCut(part, 1, count, direction, totals, limits, best);
            out.push(found ? 1 : 0, ...best);
          }
        }
        const goesLeft = kernels.bytes(count + 1).map((_, bin) => bin & 1);
        const sides = kernels.bytes(count + 1);
        sides.set(goesLeft);
        out.push(kernels.divideRows(bins, own, 1, list.length, sides, kernels.integers(rows)), ...own);
        return out;
      };
      const plain = train(plainFitKernels);
      expect(train(simd(30_000))).toEqual(plain);
    }
  });

  it("have a memory of their own in every use, which others do not touch", () => {
    const sum = fastContext.use(1000, (kernels) => {
      const own = kernels.numbers(500).fill(1);
      fastContext.use(1000, (others) => others.numbers(900).fill(9));
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
  it("condition on a row: L Lᵀ is the matrix, L z the row about its mean, L g a tilt, and the sums their products", () => {
    const task = rowTask(8, 6, 0);
    const { four, columns, cells } = task;
    const [n, u] = [four.n, columns.length];
    four.roots.fill(1, 0, 4).fill(0, 4, 8);
    const work = new Float64Array(4 * n * (n + 5));
    const sums = new Float64Array(28);
    plainKernels.conditionRows(four, cells, columns, Int32Array.of(u), 0, 1, work, sums);
    for (let lane = 0; lane < 4; lane++) {
      const entry = (i: number, j: number): number => work[4 * (i * u + j) + lane];
      const lower = (i: number, j: number): number => (i === j ? 1 / entry(i, j) : entry(i, j));
      const product = (i: number, row: number): number => {
        let sum = 0;
        for (let c = 0; c <= i; c++) sum += lower(i, c) * (row < u ? lower(row, c) : entry(row, c));
        return sum;
      };
      columns.forEach((column, i) => {
        for (let j = i; j < u; j++)
          expect(product(i, j)).toBeCloseTo(four.matrix[4 * (triangle(columns[j]) + column) + lane], 11);
        expect(product(i, u)).toBeCloseTo(cells[column] - four.mean[4 * column + lane], 11);
        for (let t = 0; t < 2; t++)
          expect(product(i, u + 1 + t)).toBeCloseTo(
            four.matrix[4 * (triangle(n) + t * n + column) + lane],
            11,
          );
      });
      [
        [u, u],
        [u + 1, u + 1],
        [u + 1, u],
        [u + 2, u + 2],
        [u + 2, u],
      ].forEach(([a, b], at) => {
        let sum = 0;
        for (let j = 0; j < u; j++) sum += entry(a, j) * entry(b, j);
        expect(sums[8 + 4 * at + lane]).toBeCloseTo(sum, 11);
      });
      expect(sums[lane]).toBeCloseTo(
        columns.reduce((product, _, i) => product * entry(i, i), 1),
        11,
      );
      expect(sums[4 + lane]).toBe(0);
    }
  });

  it("keep products of roots in range: the logarithm is that of columns in any unit", () => {
    for (const unit of [1e-60, 1, 1e60]) {
      const { four, columns, cells } = rowTask(13, 13, 0);
      const matrix = four.matrix.map((x) => x * unit ** 2);
      four.roots.fill(1, 0, 4).fill(0, 4, 8);
      const sums = [four, { ...four, matrix }].map((task) => {
        const own = new Float64Array(28);
        const work = new Float64Array(4 * 13 * 18);
        plainKernels.conditionRows(task, cells, columns, Int32Array.of(13), 0, 1, work, own);
        return Math.log(own[0]) + own[4] * Math.LN2;
      });
      expect(sums[1] - sums[0]).toBeCloseTo(-13 * Math.log(unit), 9);
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

  it("are taken where the engine has no WebAssembly, or more room is asked for than that may have", () => {
    expect(fastContext.use(100, (kernels) => kernels)).not.toBe(plainFitKernels);
    expect(fastContext.use(1e9, (kernels) => kernels)).toBe(plainFitKernels);
    vi.stubGlobal("WebAssembly", undefined);
    expect(createFastContext().use(100, (kernels) => kernels)).toBe(plainFitKernels);
  });

  it("are taken where WebAssembly is forbidden", () => {
    const forbidden = (): never => {
      throw new Error("Refused to compile WebAssembly because of the page's security policy");
    };
    vi.stubGlobal("WebAssembly", { Memory: WebAssembly.Memory, Module: forbidden, Instance: forbidden });
    expect(createFastContext().use(100, (kernels) => kernels)).toBe(plainFitKernels);
  });

  it("are all that the plain context has", () => {
    expect(plainContext.use(100, (kernels) => kernels)).toBe(plainKernels);
  });
});
