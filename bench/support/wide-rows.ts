/** The columns that the command is measured on, the label among them 20: numbers, bits, and categories of so many values. */
export const [NUMBERS, BITS, CATEGORIES] = [8, 6, [3, 8, 20, 50, 200]];

/** The names of the columns, the label last. */
export function columnNames(): string[] {
  const numbered = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${letter}${i}`);
  return [...numbered("n", NUMBERS), ...numbered("b", BITS), ...numbered("c", CATEGORIES.length), "label"];
}

/** A classifier of these columns with arbitrary weights. */
export function makeClassifier(): object {
  const features = columnNames().flatMap((name) => {
    if (name === "label") return [];
    const categories = name.startsWith("c") ? CATEGORIES[Number(name.slice(1))] : 0;
    return categories ? Array.from({ length: categories }, (_, v) => `${name}=v${v}`) : [name];
  });
  return {
    classes: ["no", "yes"],
    features,
    intercept: [-0.3],
    coef: [features.map((_, f) => Math.sin(f) / 3)],
  };
}
