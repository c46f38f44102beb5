/**
 * A reader of model files written from docs/model-file.md alone. It imports nothing of the library, so that file, page and library
 * can be held against each other. Slow and plain on purpose.
 */

type Cell = string | number | bigint | boolean | null | undefined;
type Row = Readonly<Record<string, Cell>>;

interface Column {
  readonly name: string;
  readonly kind: "numeric" | "binary" | "categorical" | "binned";
  readonly values?: readonly string[];
  readonly edges?: readonly number[];
}

interface FileComponent {
  readonly logWeight: number;
  readonly logQ: readonly (readonly (number | null)[])[];
  readonly gaussian?: {
    readonly mean: readonly number[];
    readonly covariance?: readonly (readonly number[])[];
    readonly lowRank?: {
      readonly diagonal: readonly number[];
      readonly loadings: readonly (readonly number[])[];
      readonly signs: readonly number[];
    };
  };
}

interface ModelFile {
  readonly format: string;
  readonly version: number;
  readonly schema: { readonly columns: readonly Column[] };
  readonly classifier: {
    readonly classes: readonly string[];
    readonly intercept: readonly number[];
    readonly weights: readonly (readonly number[])[];
  };
  readonly distribution: {
    readonly block?: readonly number[];
    readonly atoms: readonly ({
      readonly values: readonly number[];
      readonly edges: readonly number[];
    } | null)[];
    readonly components: readonly FileComponent[];
  };
  readonly checksum: string;
}

/** What log q = log 0 of a known cell counts in a prediction. */
const IMPOSSIBLE = -10000;
/** The sum of q may differ from 1 by this. */
const NORMALISED = 1e-14;

/** A component with all that follows from the file. */
interface Component {
  readonly logWeight: number;
  /** log q per column and atom. */
  readonly logQ: readonly (readonly number[])[];
  /** log Z_ki, per column and class. */
  readonly logZ: readonly (readonly number[])[];
  readonly logPrior: readonly number[];
  readonly logNormaliser: number;
  readonly mean: readonly number[];
  /** Full and symmetric. */
  readonly covariance: readonly (readonly number[])[];
}

/** A hidden number of the block: a mixture of normals. */
export interface Normals {
  readonly weights: readonly number[];
  readonly means: readonly number[];
  readonly standardDeviations: readonly number[];
}

export class ModelFileReader {
  private readonly columns: readonly Column[];
  private readonly classes: readonly string[];
  private readonly intercept: readonly number[];
  /** Per column its rows of K weights. */
  private readonly slots: readonly (readonly (readonly number[])[])[];
  private readonly atoms: ModelFile["distribution"]["atoms"];
  private readonly block: readonly number[];
  private readonly components: readonly Component[];

  constructor(text: string) {
    const cut = text.lastIndexOf(',"checksum":');
    const file = JSON.parse(text) as ModelFile;
    if (file.format !== "conformant-model" || ![1, 2, 6].includes(file.version))
      throw new Error("no model file");
    if (crc32(utf16(`${text.slice(0, cut)}}`)) !== file.checksum) throw new Error("altered");
    this.columns = file.schema.columns;
    this.classes = file.classifier.classes;
    this.intercept = file.classifier.intercept;
    let next = 0;
    this.slots = this.columns.map((column) => {
      const count = column.values?.length ?? (column.edges ? column.edges.length + 1 : 1);
      next += count;
      return file.classifier.weights.slice(next - count, next);
    });
    this.atoms = file.distribution.atoms;
    this.block = file.distribution.block ?? [];
    this.components = file.distribution.components.map((component) => this.complete(component));
  }

  /** P(k | y). */
  predict(row: Row): Record<string, number> {
    const cells = this.read(row);
    const joint = this.posterior(cells);
    const K = this.classes.length;
    return Object.fromEntries(
      this.classes.map((name, k) => [name, sum(joint.filter((_, a) => a % K === k))]),
    );
  }

  /** log P(y). */
  logEvidence(row: Row): number {
    const cells = this.read(row);
    const known = this.block.map((_, a) => a).filter((a) => cells[this.block[a]] !== undefined);
    return logSum(
      this.components.flatMap((component) =>
        this.classes.map((_, k) => {
          let log = component.logWeight + component.logPrior[k];
          cells.forEach((x, i) => {
            if (x === undefined || this.block.includes(i)) return;
            const v = this.atomOf(i, x);
            log += component.logQ[i][v] + this.atomScore(i, v, k) - component.logZ[i][k];
          });
          if (known.length === 0) return log;
          const w = this.blockWeights(k);
          const centre = component.mean.map((m, a) => m + dot(component.covariance[a], w));
          const away = known.map((a) => (cells[this.block[a]] as number) - centre[a]);
          return log + logNormal(pick(component.covariance, known, known), away);
        }),
      ),
    );
  }

  /** Of every missing column: P(value | y) by atom, or the normals of a number of the block. */
  impute(row: Row): Record<string, readonly number[] | Normals> {
    const cells = this.read(row);
    const joint = this.posterior(cells);
    const K = this.classes.length;
    const missing = this.columns.map((_, i) => i).filter((i) => cells[i] === undefined);
    return Object.fromEntries(
      missing.map((i) => {
        if (this.block.includes(i)) return [this.columns[i].name, this.normals(cells, joint, i)];
        const count = this.components[0].logQ[i].length;
        const probabilities = Array.from({ length: count }, (_, v) =>
          sum(
            joint.map((p, a) => {
              const { logQ, logZ } = this.components[Math.floor(a / K)];
              return p * Math.exp(logQ[i][v] + this.atomScore(i, v, a % K) - logZ[i][a % K]);
            }),
          ),
        );
        return [this.columns[i].name, probabilities];
      }),
    );
  }

  /** Each cell: a number, the position of a value, or undefined for a gap. */
  private read(row: Row): (number | undefined)[] {
    return this.columns.map(({ name, kind, values }) => {
      const value = row[name];
      if (value === null || value === undefined || value === "" || Number.isNaN(value)) return undefined;
      if (kind !== "categorical") return Number(value);
      const position = (values ?? []).indexOf(String(value));
      return position < 0 ? undefined : position;
    });
  }

  private atomOf(i: number, x: number): number {
    const { kind, edges } = this.columns[i];
    if (kind === "binary" || kind === "categorical") return x;
    return (kind === "binned" ? (edges ?? []) : (this.atoms[i]?.edges ?? [])).filter((edge) => edge <= x)
      .length;
  }

  /** s_ki of a known cell. */
  private score(i: number, x: number, k: number): number {
    const { kind } = this.columns[i];
    if (kind === "numeric" || kind === "binary") return this.slots[i][0][k] * x;
    return this.slots[i][this.atomOf(i, x)][k];
  }

  /** s_ki of an atom. */
  private atomScore(i: number, v: number, k: number): number {
    if (this.block.includes(i)) return 0;
    const { kind } = this.columns[i];
    if (kind === "numeric") return this.slots[i][0][k] * (this.atoms[i]?.values[v] ?? Number.NaN);
    return kind === "binary" ? this.slots[i][0][k] * v : this.slots[i][v][k];
  }

  private blockWeights(k: number): number[] {
    return this.block.map((i) => this.slots[i][0][k]);
  }

  private complete({ logWeight, logQ, gaussian }: FileComponent): Component {
    const logs = logQ.map((column) => {
      const own = column.map((x) => (x === null ? Number.NEGATIVE_INFINITY : x));
      const total = logSum(own);
      return Math.abs(total) > NORMALISED ? own.map((x) => x - total) : own;
    });
    const logZ = logs.map((column, i) =>
      this.classes.map((_, k) => logSum(column.map((x, v) => x + this.atomScore(i, v, k)))),
    );
    const mean = gaussian?.mean ?? [];
    const covariance = mean.map((_, a) =>
      mean.map((_, b) => (gaussian ? covarianceOf(gaussian, Math.max(a, b), Math.min(a, b)) : Number.NaN)),
    );
    const scores = this.classes.map((_, k) => {
      const w = this.blockWeights(k);
      const tilted =
        dot(w, mean) +
        dot(
          w,
          covariance.map((line) => dot(line, w)),
        ) /
          2;
      return this.intercept[k] + sum(logZ.map((own) => own[k])) + tilted;
    });
    const logNormaliser = logSum(scores);
    return {
      logWeight,
      logQ: logs,
      logZ,
      logPrior: scores.map((s) => s - logNormaliser),
      logNormaliser,
      mean,
      covariance,
    };
  }

  /** P(m, k | y), components first. */
  private posterior(cells: readonly (number | undefined)[]): number[] {
    const plain = this.components.length === 1 && this.block.length === 0;
    const complete = cells.every((x) => x !== undefined);
    const scores = this.components.flatMap((component, m) =>
      this.classes.map((_, k) => {
        // A complete row is the classifier's; every component says the same, so the first may say it.
        if (complete && m > 0) return Number.NEGATIVE_INFINITY;
        let log = this.intercept[k];
        cells.forEach((x, i) => {
          if (x !== undefined) log += this.score(i, x, k);
          else if (!this.block.includes(i)) log += component.logZ[i][k];
          if (complete || plain || x === undefined || this.block.includes(i)) return;
          log += Math.max(component.logQ[i][this.atomOf(i, x)], IMPOSSIBLE);
        });
        if (complete || plain) return log;
        return log + component.logWeight - component.logNormaliser + this.blockScore(component, cells, k);
      }),
    );
    const total = logSum(scores);
    return scores.map((s) => Math.exp(s - total));
  }

  /** log N(y_o; μ_o, Σ_oo) + w_h·E[x_h | y_o] + ½ w_hᵀ Σ_h|o w_h. */
  private blockScore(component: Component, cells: readonly (number | undefined)[], k: number): number {
    if (this.block.length === 0) return 0;
    const { known, hidden, away, mean, covariance } = this.conditional(component, cells);
    const w = hidden.map((a) => this.blockWeights(k)[a]);
    const spread =
      dot(
        w,
        covariance.map((line) => dot(line, w)),
      ) / 2;
    return logNormal(pick(component.covariance, known, known), away) + dot(w, mean) + spread;
  }

  private conditional({ mean, covariance }: Component, cells: readonly (number | undefined)[]) {
    const all = this.block.map((_, a) => a);
    const known = all.filter((a) => cells[this.block[a]] !== undefined);
    const hidden = all.filter((a) => cells[this.block[a]] === undefined);
    const away = known.map((a) => (cells[this.block[a]] as number) - mean[a]);
    const inner = pick(covariance, known, known);
    const across = pick(covariance, hidden, known);
    const solved = across.map((line) => solve(inner, line));
    return {
      known,
      hidden,
      away,
      mean: hidden.map((a, h) => mean[a] + dot(solved[h], away)),
      covariance: hidden.map((a, h) => hidden.map((b, g) => covariance[a][b] - dot(solved[h], across[g]))),
    };
  }

  private normals(cells: readonly (number | undefined)[], joint: readonly number[], i: number): Normals {
    const K = this.classes.length;
    const means: number[] = [];
    const standardDeviations: number[] = [];
    for (const component of this.components) {
      const { hidden, mean, covariance } = this.conditional(component, cells);
      const at = hidden.findIndex((a) => this.block[a] === i);
      for (let k = 0; k < K; k++) {
        const w = hidden.map((a) => this.blockWeights(k)[a]);
        means.push(mean[at] + dot(covariance[at], w));
        standardDeviations.push(Math.sqrt(covariance[at][at]));
      }
    }
    return { weights: joint, means, standardDeviations };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, x) => total + x, 0);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sum(a.map((x, j) => x * b[j]));
}

function logSum(logs: readonly number[]): number {
  const most = Math.max(...logs);
  return most === Number.NEGATIVE_INFINITY ? most : most + Math.log(sum(logs.map((x) => Math.exp(x - most))));
}

type Matrix = readonly (readonly number[])[];

function pick(matrix: Matrix, rows: readonly number[], columns: readonly number[]): number[][] {
  return rows.map((a) => columns.map((b) => matrix[a][b]));
}

/** Gaussian elimination with the largest pivot, of A | b; the logarithm of |det A| on the way. */
function eliminate(matrix: Matrix, b: readonly number[]): { x: number[]; logDeterminant: number } {
  const n = b.length;
  const a = matrix.map((line, r) => [...line, b[r]]);
  let logDeterminant = 0;
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c; r < n; r++) if (Math.abs(a[r][c]) > Math.abs(a[best][c])) best = r;
    [a[c], a[best]] = [a[best], a[c]];
    logDeterminant += Math.log(Math.abs(a[c][c]));
    for (let r = c + 1; r < n; r++) {
      const factor = a[r][c] / a[c][c];
      for (let j = c; j <= n; j++) a[r][j] -= factor * a[c][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let r = n - 1; r >= 0; r--) {
    let rest = a[r][n];
    for (let j = r + 1; j < n; j++) rest -= a[r][j] * x[j];
    x[r] = rest / a[r][r];
  }
  return { x, logDeterminant };
}

function solve(matrix: Matrix, b: readonly number[]): number[] {
  return eliminate(matrix, b).x;
}

/** log N(away; 0, matrix). */
function logNormal(matrix: Matrix, away: readonly number[]): number {
  const { x, logDeterminant } = eliminate(matrix, away);
  return -(dot(away, x) + logDeterminant + away.length * Math.log(2 * Math.PI)) / 2;
}

function utf16(text: string): number[] {
  return Array.from({ length: 2 * text.length }, (_, at) => {
    const unit = text.charCodeAt(at >> 1);
    return at % 2 === 0 ? unit & 255 : unit >> 8;
  });
}

function crc32(bytes: readonly number[]): string {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

/** Σ_ab for b ≤ a, from the lower triangle or from the parts of low rank. */
function covarianceOf(
  { covariance, lowRank }: NonNullable<FileComponent["gaussian"]>,
  a: number,
  b: number,
): number {
  if (covariance) return covariance[a][b];
  if (!lowRank) return Number.NaN;
  const { diagonal, loadings, signs } = lowRank;
  return signs.reduce(
    (sum, sign, j) => sum + sign * loadings[a][j] * loadings[b][j],
    a === b ? diagonal[a] : 0,
  );
}
