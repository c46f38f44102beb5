import { type Column, conform, createClassifier, type Model, type Row, random } from "conformant";
import { slotOffsets } from "conformant/remote";

/** 25 numbers, 15 bits and 10 categories of four values. */
function columns50(): Column[] {
  return Array.from({ length: 50 }, (_, i): Column => {
    if (i < 25) return { name: `number_${i}`, kind: "numeric" };
    if (i < 40) return { name: `bit_${i}`, kind: "binary" };
    return { name: `category_${i}`, kind: "categorical", values: ["a", "b", "c", "d"] };
  });
}

/** A model of them, three classes, fitted to 2,000 random rows. */
export function model50(): Model {
  const g = random(50);
  const schema = { columns: columns50() };
  const classes = ["low", "middle", "high"];
  const slots = slotOffsets(schema)[50];
  const weights = Float64Array.from({ length: slots * classes.length }, () => 0.4 * g.normal());
  const classifier = createClassifier({ schema, classes, intercept: new Float64Array(3), weights });
  const rows = Array.from({ length: 2000 }, () =>
    Object.fromEntries(schema.columns.map((column) => [column.name, draw(column)])),
  );
  return conform(classifier, rows);

  function draw(column: Column): number | string {
    if (column.kind === "numeric") return g.normal();
    return column.kind === "binary" ? g.integer(2) : "abcd"[g.integer(4)];
  }
}

/** A row with every third column unknown. */
export function row50(): Row {
  return Object.fromEntries(
    columns50().map(({ name, kind }, i) => {
      if (i % 3 === 0) return [name, null];
      return [name, kind === "numeric" ? Math.sin(i) : kind === "binary" ? i % 2 : "abcd"[i % 4]];
    }),
  );
}
