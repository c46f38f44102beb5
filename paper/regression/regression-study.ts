import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  conformMixture,
  encode,
  type KnownRegressor,
  predictColumns,
  type Row,
  type Table,
  trainRegressor,
  trainTreeRegressor,
} from "conformant";
import { dataFolders, readLines } from "../datasets/data-folder.ts";
import { seedOf } from "../protocol/random.ts";
import { maskColumns } from "../protocol/removal.ts";
import { authorsMasks, type MaskedRun, publishedRegression } from "../report/published.ts";
import { regressionPanels, regressionSection } from "../report/sections/regression-section.ts";
import type { Study } from "../studies/study.ts";

/** Drawn masks per rate: of the validation rows, and of the test rows where the authors' are not published. */
const [CHOICE_REPEATS, REPEATS] = [5, 10];
/** What validation rows choose from. */
const PENALTIES = [1, 10, 100];
const [LEAVES, LEAST_ROWS] = [
  [4, 8, 16],
  [5, 10, 20],
];
const COMPONENTS = [1, 2, 4, 8, 16, 32];
/** The mixtures that are repeated, to show how much scores depend on choices. */
const [VARIANT_COMPONENTS, VARIANT_SEEDS] = [
  [2, 4],
  [0, 1, 2, 3],
];

/** One regressor on one table: the root mean squared error at each number of missing bits. */
export interface RegressorScores {
  readonly regressor: string;
  /** What validation rows chose. */
  readonly chosen: string;
  readonly components: number;
  readonly rmse: readonly number[];
  /** Standard error over the repeats. */
  readonly standardError: readonly number[];
}

/** A repetition of the boosted trees on insurance with other rows or another start of the mixture. */
export interface RegressorVariant {
  readonly rows: "training" | "training and validation";
  readonly components: number;
  /** The seed of the mixture. The scores of the table have 0. */
  readonly seed: number;
  readonly rmse: readonly number[];
}

export interface RegressionTableResults {
  readonly table: string;
  readonly bits: number;
  readonly rows: { readonly training: number; readonly test: number };
  /** Numbers of missing bits. */
  readonly missing: readonly number[];
  readonly authorsMasks: boolean;
  readonly regressors: readonly RegressorScores[];
  /** Only where the authors' masks are used. */
  readonly variants?: readonly RegressorVariant[];
}

/** What `npm run paper -- regression` measures. */
export interface RegressionResults {
  readonly tables: readonly RegressionTableResults[];
}

/** Past the paper: the tables with a number to predict of Khosravi et al., NeurIPS 2019, as the authors turn them into bits. */
export const regressionStudy: Study<RegressionResults> = {
  datasets: ["regression/bits"],
  about: "the follow-up of NeurIPS 2019: regressors on the authors' bits, beside their published errors",
  run: ({ data, seed, progress }) => {
    const folder = dataFolders(data)
      .map((name) => join(name, "regression/bits"))
      .find((name) => existsSync(name));
    if (folder === undefined)
      throw new Error(
        "regression/bits was not found: it needs the binarized tables of github.com/UCLA-StarAI/mc2; --data names their folder",
      );
    return {
      tables: Object.keys(publishedRegression).map((table) => scoreTable(folder, table, seed, progress)),
    };
  },
  section: regressionSection,
  panels: regressionPanels,
};

const LABEL = "y";

export function readPart(folder: string, table: string, part: string): Row[] {
  const numbers = readLines(join(folder, `${table}-${part}-y.csv`));
  return readLines(join(folder, `${table}-${part}-x.csv`)).map((line, r) => ({
    ...Object.fromEntries(line.split(",").map((bit, i) => [`bit ${i}`, Number(bit)])),
    [LABEL]: Number(numbers[r]),
  }));
}

/** A regressor before it is trained. */
interface Recipe {
  readonly name: string;
  readonly train: (rows: readonly Row[]) => KnownRegressor;
}

const FAMILIES: Readonly<Record<string, readonly Recipe[]>> = {
  linear: PENALTIES.map((l2) => ({
    name: `l2 ${l2}`,
    train: (rows) => trainRegressor(rows, { label: LABEL, l2 }),
  })),
  "boosted trees": LEAVES.flatMap((leaves) =>
    LEAST_ROWS.map((leastRows) => ({
      name: `${leaves} leaves of ${leastRows} rows`,
      train: (rows: readonly Row[]) =>
        trainTreeRegressor(rows, { label: LABEL, leaves, leastRows, rate: 0.05 }),
    })),
  ),
};

function scoreTable(
  folder: string,
  table: string,
  seed: number,
  progress: (line: string) => void,
): RegressionTableResults {
  const [training, validation, test] = ["train", "valid", "test"].map((part) =>
    readPart(folder, table, part),
  );
  const bits = Object.keys(test[0]).length - 1;
  const { missing } = publishedRegression[table];
  const runs = table === "insurance" ? authorsMasks() : undefined;
  const regressors = Object.entries(FAMILIES).map(([regressor, recipes]): RegressorScores => {
    progress(`${table}: ${regressor}`);
    const complete = recipes.map(({ train }) =>
      rmse(squaredErrors(conformed(train(training), training, 1), validation)),
    );
    const recipe = recipes[complete.indexOf(Math.min(...complete))];
    const partial = missing.filter((count) => count > 0 && count < bits);
    const components = chooseComponents(recipe.train(training), training, (model) =>
      meanOf(
        partial.flatMap((count) =>
          repeats(CHOICE_REPEATS).map((repeat) =>
            squaredErrors(model, validation, (rows) =>
              maskColumns(rows, count, seedOf(seed, table, "choice", count, repeat)),
            ),
          ),
        ),
      ),
    );
    const model = conformed(recipe.train(training), training, components);
    const scored = missing.map((count) => {
      const own = runs
        ? runs.filter((run) => run.missing === count).map((run) => (rows: Table) => hide(rows, run))
        : repeats(count === 0 ? 1 : REPEATS).map(
            (repeat) => (rows: Table) => maskColumns(rows, count, seedOf(seed, table, count, repeat)),
          );
      return own.map((mask) => rmse(squaredErrors(model, test, mask)));
    });
    return {
      regressor,
      chosen: recipe.name,
      components,
      rmse: scored.map(mean),
      standardError: scored.map((list) =>
        list.length < 2 ? 0 : Math.sqrt(mean(list.map((x) => (x - mean(list)) ** 2)) / (list.length - 1)),
      ),
    };
  });
  const rows = { training: training.length, test: test.length };
  const variants = runs && scoreVariants({ training, validation, test }, regressors[1].chosen, missing, runs);
  return {
    table,
    bits,
    rows,
    missing,
    authorsMasks: runs !== undefined,
    regressors,
    ...(variants && { variants }),
  };
}

/** The boosted trees with other rows and other seeds of the mixture, on the authors' masks. */
export function scoreVariants(
  parts: Readonly<Record<"training" | "validation" | "test", readonly Row[]>>,
  chosen: string,
  missing: readonly number[],
  runs: readonly MaskedRun[],
): RegressorVariant[] {
  const recipe = FAMILIES["boosted trees"].find(({ name }) => name === chosen) as Recipe;
  const tables = [
    ["training", parts.training],
    ["training and validation", [...parts.training, ...parts.validation]],
  ] as const;
  return tables.flatMap(([name, rows]) => {
    const trees = recipe.train(rows);
    return VARIANT_COMPONENTS.flatMap((components) =>
      VARIANT_SEEDS.map((seed) => {
        const model = conformed(trees, rows, components, seed);
        const rmseAt = (count: number): number =>
          mean(
            runs
              .filter((run) => run.missing === count)
              .map((run) => rmse(squaredErrors(model, parts.test, (table) => hide(table, run)))),
          );
        return { rows: name, components, seed, rmse: missing.map(rmseAt) };
      }),
    );
  });
}

type Conformed = ReturnType<typeof conformed>;

function conformed(regressor: KnownRegressor, rows: readonly Row[], components: number, seed = 0) {
  return conformMixture(regressor, rows, { components, seed });
}

/** The smallest number of components whose squared error on masked validation rows is within a standard error of the best. */
function chooseComponents(
  regressor: KnownRegressor,
  rows: readonly Row[],
  errorsOf: (model: Conformed) => number[],
): number {
  const errors = COMPONENTS.map((components) => errorsOf(conformed(regressor, rows, components)));
  const means = errors.map(mean);
  const best = errors[means.indexOf(Math.min(...means))];
  return COMPONENTS[
    errors.findIndex((own) => {
      const excess = own.map((error, r) => error - best[r]);
      const center = mean(excess);
      const error = Math.sqrt(mean(excess.map((x) => (x - center) ** 2)) / excess.length);
      return center <= error;
    })
  ];
}

/** The squared error of each row. */
function squaredErrors(
  model: Conformed,
  rows: readonly Row[],
  mask = (table: Table): Table => table,
): number[] {
  const { values } = predictColumns(model, mask(encode(model.schema, rows)));
  return Array.from(values, (value, r) => (value - Number(rows[r][LABEL])) ** 2);
}

/** The rows with the bits missing that the authors' run left out. */
function hide(table: Table, { masked }: MaskedRun): Table {
  const columns = table.columns.map((cells) => cells.slice());
  for (let r = 0; r < table.rows; r++)
    columns.forEach((cells, i) => {
      if (masked(r, i)) cells[r] = -1;
    });
  return { ...table, columns };
}

function repeats(count: number): number[] {
  return Array.from({ length: count }, (_, repeat) => repeat);
}

function rmse(squares: readonly number[]): number {
  return Math.sqrt(mean(squares));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

/** The mean of several lists, place by place. */
function meanOf(lists: readonly (readonly number[])[]): number[] {
  return lists[0].map((_, r) => mean(lists.map((list) => list[r])));
}
