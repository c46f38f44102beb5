import { drawLineChart } from "conformant-workbench";
import type {
  RegressionResults,
  RegressionTableResults,
  RegressorScores,
  RegressorVariant,
} from "../../regression/regression-study.ts";
import { fifths, type Panel } from "../figures.ts";
import { publishedRegression } from "../published.ts";
import { roundUp } from "../round-up.ts";
import { markdownTable } from "../tables/markdown-table.ts";

/** Colors by Okabe and Ito: ours, then theirs. */
const OWN_COLORS = ["#0072b2", "#d55e00"];
const THEIR_COLORS = ["#000000", "#cc79a7", "#56b4e9", "#009e73", "#999999"];

/** The part of RESULTS.md about the tables with a number to predict. */
export function regressionSection(results: RegressionResults): string[] {
  return [
    "## The follow-up paper: regressors",
    "`npm run paper -- regression`: the tables of Khosravi, Choi, Liang, Vergari, Van den Broeck, *On Tractable Computation of Expected Predictions* (NeurIPS 2019), and for abalone of Li, Zeng, Vergari, Van den Broeck, *Tractable Computation of Expected Kernels* (UAI 2021), as the authors turn them into bits and split them. " +
      "Root mean squared error with so many bits of each test row missing: with the authors' own masks on insurance (ten repeats), with drawn masks elsewhere. Their rows are printed numbers of their own regressors. " +
      "Ours: ridge regression, and boosted trees with a learning rate of 0.05. The authors' validation rows choose the penalty, the size of the trees, and, masked, the number of components: the smallest within a standard error of the best.",
    ...regressionPanels(results).map(({ file, title }) => `![${title}](figures/${file})`),
    ...results.tables.map(comparison),
    ...results.tables.map(verdict),
    ...results.tables.flatMap(variantsOf),
  ];
}

/** How much the scores depend on the rows and on the seed of the mixture. */
function variantsOf({ table, bits, missing, regressors, variants }: RegressionTableResults): string[] {
  if (variants === undefined) return [];
  const theirs = publishedRegression[table].methods.expected;
  const excess = ({ rmse }: RegressorVariant, j: number): number =>
    100 * (rmse[j] / (theirs[j] as number) - 1);
  const places = missing.map((_, j) => j).filter((j) => theirs[j] !== null);
  const ahead = (variant: RegressorVariant): number => places.filter((j) => excess(variant, j) < 0).length;
  const lines = variants.map((variant) => [
    variant.rows,
    String(variant.components),
    String(variant.seed),
    `${ahead(variant)} of ${places.length}`,
    ...missing.map((_, j) => (places.includes(j) ? excess(variant, j).toFixed(1).replace("-", "−") : "–")),
  ]);
  const heading = ["trained on", "components", "seed", "lower in", ...missing.map(String)];
  const partial = places.filter((j) => missing[j] > 0 && missing[j] < bits);
  const chosen = regressors[1].components;
  const [alone, both] = (["training", "training and validation"] as const).map((rows) =>
    variants.find((variant) => variant.rows === rows && variant.components === chosen && variant.seed === 0),
  ) as [RegressorVariant, RegressorVariant];
  const worse = variants.filter(
    (variant) => variant.rows === "training" && ahead(variant) * 2 < places.length,
  );
  const excesses = worse.flatMap((variant) => partial.map((j) => excess(variant, j)));
  return [
    `The lead of the boosted trees on ${table} depends on choices. Trained on training and validation rows, the same trees with ${chosen} components are ahead of the authors' expected prediction at ${ahead(both)} of ${places.length} rates; trained on the training rows alone, as published above, at ${ahead(alone)} of ${places.length}. ` +
      "The training rows alone were chosen after the test results were seen." +
      (worse.length === 0
        ? ""
        : ` On them, another seed of the mixture (${worse.map(({ components, seed }) => `seed ${seed} with ${components} components`).join(", ")}) is ${Math.min(...excesses).toFixed(0)} to ${Math.max(...excesses).toFixed(0)} % behind between ${missing[partial[0]]} and ${missing[partial[partial.length - 1]]} missing bits.`) +
      " The table has the error over theirs, in per cent, with so many bits missing.",
    markdownTable(heading, lines),
  ];
}

/** Root mean squared error over the share of missing bits, one picture per table. */
export function regressionPanels({ tables }: RegressionResults): Panel[] {
  return tables.map((result) => {
    const { table, missing, bits, regressors } = result;
    const percents = missing.map((count) => Math.round((100 * count) / bits));
    const { unit, methods } = publishedRegression[table];
    const title = `${table}: root mean squared error as bits go missing`;
    const shown = [...Object.values(methods).flat(), ...regressors.flatMap(({ rmse }) => rmse)].flatMap(
      (x) => x ?? [],
    );
    const most = roundUp(Math.max(...shown) / unit);
    const least = Math.min(...shown) / unit > most / 2 ? most / 2 : 0;
    const svg = drawLineChart({
      title,
      x: { title: "missing bits, %", domain: [0, 100], ticks: [0, 20, 40, 60, 80, 100] },
      y: {
        title: `root mean squared error${unitOf(unit)}`,
        domain: [least, most],
        ticks: fifths(least, most),
      },
      dots: 2,
      alone: { others: "" },
      lines: [
        ...regressors.map(({ regressor, rmse, standardError }, i) => ({
          name: regressor,
          color: OWN_COLORS[i],
          points: rmse.map((y, j) => ({ x: percents[j], y: y / unit, error: (2 * standardError[j]) / unit })),
        })),
        ...Object.entries(methods).map(([method, values], i) => ({
          name: `theirs: ${method}`,
          color: THEIR_COLORS[i],
          dash: "4 3",
          points: values.map((y, j) => ({ x: percents[j], y: y === null ? Number.NaN : y / unit })),
        })),
      ],
    });
    return { file: `regression-${table}.svg`, title, svg };
  });
}

function unitOf(unit: number): string {
  return unit === 1 ? "" : ` × ${1 / unit}`;
}

function comparison({ table, bits, rows, missing, regressors }: RegressionTableResults): string {
  const { unit, methods } = publishedRegression[table];
  const digits = unit === 1 && table === "insurance" ? 0 : table === "abalone" ? 3 : 2;
  const written = (x: number): string => (x / unit).toFixed(digits);
  const columns = missing.map((_, j) => [
    ...regressors.map(({ rmse }) => rmse[j]),
    ...Object.values(methods).map((values) => values[j] ?? Number.POSITIVE_INFINITY),
  ]);
  const cell = (x: number | null, j: number): string => {
    if (x === null) return "–";
    return x <= Math.min(...columns[j]) ? `**${written(x)}**` : written(x);
  };
  const lines = [
    ...regressors.map((own) => [nameOf(own), ...own.rmse.map((x, j) => cell(x, j))]),
    ...Object.entries(methods).map(([method, values]) => [
      `theirs: ${method}`,
      ...values.map((x, j) => cell(x, j)),
    ]),
  ];
  const about = `${table}: ${bits} bits, ${rows.training.toLocaleString("en")} training and ${rows.test.toLocaleString("en")} test rows; error${unitOf(unit)} with so many bits missing.`;
  return `${about}\n\n${markdownTable(["", ...missing.map(String)], lines)}`;
}

function nameOf({ regressor, chosen, components }: RegressorScores): string {
  return `${regressor} (${chosen}; ${components} component${components === 1 ? "" : "s"})`;
}

/** In how many columns of a table ours are ahead of their expected prediction. */
function verdict({ table, missing, regressors }: RegressionTableResults): string {
  const theirs = publishedRegression[table].methods.expected;
  const sentences = regressors.map(({ regressor, rmse }) => {
    const places = missing.map((_, j) => j).filter((j) => theirs[j] !== null);
    const ahead = places.filter((j) => rmse[j] < (theirs[j] as number));
    const behind = places.filter((j) => !ahead.includes(j)).map((j) => missing[j]);
    return `${regressor}: lower in ${ahead.length} of ${places.length}${behind.length === 0 ? "" : ` (not at ${behind.join(", ")})`}`;
  });
  return `Beside their expected prediction on ${table}, ${sentences.join("; ")}.`;
}
