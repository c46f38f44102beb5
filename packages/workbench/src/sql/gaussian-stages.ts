import type { Distribution, Gaussian, GaussianColumns } from "conformant";
import type { Dialect } from "./dialects/dialect.ts";
import type { PerComponent } from "./per-component.ts";
import type { Stage } from "./stages.ts";

/** The most columns and components of a Gaussian that is written as SQL: the text grows with M·n³, and engines must plan it. */
export const MOST_GAUSSIAN = { columns: 12, components: 16 } as const;

/** Whether a model's Gaussian, if it has one, can be written as SQL. */
export function hasGaussianTerms({ gaussianColumns, components }: Distribution): boolean {
  if (!gaussianColumns) return true;
  return (
    gaussianColumns.columns.length <= MOST_GAUSSIAN.columns && components.length <= MOST_GAUSSIAN.components
  );
}

/** What a Gaussian adds to the scores of rows: stages, and names over them. */
export interface GaussianTerms {
  readonly stages: readonly Stage[];
  /** log N_m(y_o), up to a constant that all components share. */
  readonly density: (m: number) => string;
  /** w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h; undefined for a class without weights in the Gaussian. */
  readonly worth: (m: number, k: number) => string | undefined;
}

/**
 * Conditions the Gaussians of a model on the known cells, column by column. With μ and Σ what is expected of the columns that come
 * next, given the known ones so far, and s = Σ_jj, a known column j moves them by its distance r = x_j − μ_j,
 *
 *     μ_i + Σ_ij r / s        Σ_il − Σ_ij Σ_lj / s        log N − ½ ( r² / s + log s )
 *
 * and a hidden one joins u_k = w_k,h·x_h. Of that the covariance with the next columns, c_i = Cov(x_i, u_k), is carried along, and what
 * it is worth, E u_k + ½ Var u_k: they become
 *
 *     known:   c_i − Σ_ij c_j / s        worth + c_j (r − ½ c_j) / s
 *     hidden:  c_i + Σ_ij w_kj           worth + w_kj ( μ_j + c_j + ½ w_kj s )
 *
 * so that nothing is added where all is known. The cells are those of the names x0_, x1_, … of the model's columns.
 */
export function gaussianTerms(
  dialect: Dialect,
  { components }: Distribution,
  gaussianColumns: GaussianColumns,
): GaussianTerms {
  const factors = components.flatMap(({ gaussian }) => (gaussian ? [gaussian] : []));
  const weighted = weightedClasses(gaussianColumns);
  const { stages, result } = dialect.perComponent(conditioning(dialect, gaussianColumns, factors, weighted));
  const gaps: Stage = Array.from(gaussianColumns.columns, (column, j) => [
    gap(j),
    `CASE WHEN ${dialect.nullForNan(`x${column}_`)} IS NULL THEN 1 ELSE 0 END`,
  ]);
  return {
    stages: [gaps, ...stages],
    density: (m) => result(weighted.length, m),
    worth: (m, k) => (weighted.includes(k) ? result(weighted.indexOf(k), m) : undefined),
  };
}

const gap = (j: number): string => `gap${j}_`;
const mean = (i: number, step: number): string => `u${i}_${step}_`;
const between = (i: number, l: number, step: number): string =>
  `v${Math.max(i, l)}_${Math.min(i, l)}_${step}_`;
const joint = (i: number, k: number, step: number): string => `c${i}_${k}_${step}_`;
const worth = (k: number, step: number): string => `h${k}_${step}_`;
const density = (step: number): string => `l${step}_`;

function conditioning(
  dialect: Dialect,
  { columns, weights }: GaussianColumns,
  factors: readonly Gaussian[],
  classes: readonly number[],
): PerComponent {
  const n = columns.length;
  const positions = Array.from(columns, (_, j) => j);
  const next = (j: number): number[] => positions.slice(j + 1);
  const either = (j: number, known: string, hidden: string): string =>
    `CASE WHEN ${gap(j)} = 0 THEN ${known} ELSE ${hidden} END`;
  const [zero, half] = [0, 0.5].map(dialect.number);
  const weight = (j: number, k: number): string => dialect.number(weights[k * n + j]);
  const stages = positions.flatMap((j): Stage[] => {
    const [s, r] = [between(j, j, j), `(x${columns[j]}_ - ${mean(j, j)})`];
    // Nothing is missing before the first column, and its terms start the sums.
    const c = (k: number): string => (j === 0 ? zero : joint(j, k, j));
    const before = (name: (step: number) => string): string => (j === 0 ? zero : name(j - 1));
    const pivot: Stage = [
      [`t${j}_`, either(j, `1 / ${s}`, zero)],
      [`g${j}_`, either(j, `${r} / ${s}`, zero)],
      [
        density(j),
        `${before(density)} - ${either(j, `${half} * (${r} * ${r} / ${s} + ${dialect.log(s)})`, zero)}`,
      ],
      ...classes.flatMap(
        (k): Stage => [
          [`f${j}_${k}_`, either(j, `- ${c(k)} / ${s}`, weight(j, k))],
          [
            worth(k, j),
            `${before((step) => worth(k, step))} + ${either(
              j,
              `${c(k)} * (${r} - ${half} * ${c(k)}) / ${s}`,
              `${weight(j, k)} * (${mean(j, j)} + ${c(k)} + ${half} * ${weight(j, k)} * ${s})`,
            )}`,
          ],
        ],
      ),
    ];
    const update: Stage = next(j).flatMap((i): Stage => {
      const own = between(i, j, j);
      return [
        [mean(i, j + 1), `${mean(i, j)} + ${own} * g${j}_`],
        ...positions
          .slice(j + 1, i + 1)
          .map((l): Stage[number] => [
            between(i, l, j + 1),
            `${between(i, l, j)} - ${own} * ${between(l, j, j)} * t${j}_`,
          ]),
        ...classes.map((k): Stage[number] => [
          joint(i, k, j + 1),
          j === 0 ? `${own} * f0_${k}_` : `${joint(i, k, j)} + ${own} * f${j}_${k}_`,
        ]),
      ];
    });
    return update.length > 0 ? [pivot, update] : [pivot];
  });
  return {
    constants: positions.flatMap((i) => [
      [mean(i, 0), factors.map(({ mean }) => mean[i])] as const,
      ...positions
        .slice(0, i + 1)
        .map((l) => [between(i, l, 0), factors.map(({ covariance }) => covariance[i * n + l])] as const),
    ]),
    stages,
    results: [...classes.map((k) => worth(k, n - 1)), density(n - 1)],
  };
}

/** The classes with a weight that is not 0 in the Gaussian. */
function weightedClasses({ weights, K, columns: { length: n } }: GaussianColumns): number[] {
  const classes = Array.from({ length: K }, (_, k) => k);
  return classes.filter((k) => weights.subarray(k * n, (k + 1) * n).some((w) => w !== 0));
}
