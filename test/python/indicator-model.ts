import { type Column, conformMixture, createClassifier, type Model, type Row, random } from "conformant";

/** A random model with indicators of missing values, and rows with 0 to 100% of their cells missing. */
export function indicatorModel(seed: number): { readonly model: Model; readonly rows: readonly Row[] } {
  const { uniform, normal } = random(seed);
  const columns: Column[] = [
    { name: "x", kind: "numeric" },
    { name: "y", kind: "numeric" },
    { name: "city", kind: "categorical", values: ["Bonn", "Köln", "1"] },
    { name: "x is missing", kind: "binary", gapOf: "x" },
    { name: "city is missing", kind: "binary", gapOf: "city" },
  ];
  const classes = ["no", "yes", "maybe"].slice(0, 2 + (seed % 2));
  const slots = 7;
  const classifier = createClassifier({
    schema: { columns },
    classes,
    intercept: Float64Array.from(classes, (_, k) => (classes.length === 2 && k === 0 ? 0 : normal())),
    weights: Float64Array.from({ length: slots * classes.length }, (_, j) =>
      classes.length === 2 && j % 2 === 0 ? 0 : normal(),
    ),
  });
  const draw = (missing: number): Row => {
    const x = normal();
    const cells: [string, Row[string]][] = [
      ["x", x],
      ["y", x + normal()],
      ["city", ["Bonn", "Köln", "1"][Math.floor(3 * uniform())]],
    ];
    return Object.fromEntries(cells.filter(() => uniform() >= missing));
  };
  const rows = Array.from({ length: 300 }, () => draw(0.2));
  const model = conformMixture(classifier, rows, {
    components: 1 + (seed % 3),
    numeric: seed > 2 ? "gaussian" : "atoms",
    maxIterations: 3,
    restarts: 1,
    seed,
  });
  return { model, rows: Array.from({ length: 500 }, (_, r) => draw(r % 5 === 0 ? r % 2 : uniform())) };
}
