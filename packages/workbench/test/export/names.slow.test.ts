import { pathToFileURL } from "node:url";
import { type Column, conformMixture, createClassifier, type Model, type Row, random } from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { expectedAnswers, largestDifference } from "./support/expected.ts";
import { runOnnx } from "./support/onnx-runtime.ts";
import { predictByHand } from "./support/predict-by-hand.ts";
import { gappyRows } from "./support/random-models.ts";
import { type SqlEngine, sqlEngines } from "./support/sql-engines.ts";
import { compare } from "./support/test-random-models.ts";

const MODELS = 2000;
/** What names are put together from: marks that end texts, names and comments, names of ours, keywords, and letters of any script. */
const PIECES = [
  ..."'\"`\\$;-*/#{}()[]<>%&?:,.=+|~^!@ \n\r\t0aZ",
  ...["''", '""', "--", "/*", "*/", "${", "</script>", "\\n", "\\u0027", "E'", "$$", "0x", "1e9"],
  ...["x0_", "p0_", "stage_1", "components_", "label", "probabilities", "Concat_0", "id "],
  ...["select", "NULL", "null", "NaN", "true", "__proto__", "constructor", "class", "await", "table"],
  ...["é", "ß", "ж", "語", "🐧", "\u0301", "\u200d", "\u202e", "\u2028", "\ufeff"],
];

interface Named {
  readonly model: Model;
  readonly rows: readonly Row[];
}

/** A small model of either kind whose columns, categories and classes have such names. */
function namedModel(seed: number): Named {
  const draw = random(seed);
  const taken = new Set<string>(["id"]);
  const word = (): string => {
    const text = Array.from({ length: 1 + draw.integer(6) }, () => PIECES[draw.integer(PIECES.length)]).join(
      "",
    );
    // Engines fold case, and a blank around a text is no part of it.
    const name = text.trim() || "blank";
    if (taken.has(name.toLowerCase())) return word();
    taken.add(name.toLowerCase());
    return name;
  };
  const K = 2 + draw.integer(2);
  const values = Array.from({ length: 3 }, word);
  const columns: Column[] = [
    ...Array.from({ length: 1 + draw.integer(3) }, () => ({ name: word(), kind: "numeric" as const })),
    { name: word(), kind: "categorical", values },
  ];
  const slots = columns.length - 1 + values.length;
  const classifier = createClassifier({
    schema: { columns },
    classes: Array.from({ length: K }, word),
    intercept: new Float64Array(K),
    weights: Float64Array.from({ length: slots * K }, () => draw.normal()),
  });
  const training = Array.from({ length: 20 }, () =>
    Object.fromEntries(
      columns.map(({ name, kind }) => [name, kind === "numeric" ? draw.normal() : values[draw.integer(3)]]),
    ),
  );
  const model = conformMixture(classifier, training, {
    components: 1 + draw.integer(2),
    numeric: draw.uniform() < 0.7 ? "gaussian" : "atoms",
    maxIterations: 1,
    restarts: 1,
  });
  return { model, rows: gappyRows(model, 6, seed) };
}

const place = new Workplace();

test(`${MODELS} models with names of all sorts answer alike in ONNX, JavaScript and JSON`, async () => {
  for (let seed = 0; seed < MODELS; seed++) {
    const { model, rows } = namedModel(seed);
    const { schema } = model;
    const { probabilities } = expectedAnswers(model, rows);
    const own = rows.map((row) =>
      Object.fromEntries(
        schema.columns.map(({ name }) => [name, Object.hasOwn(row, name) ? row[name] : undefined]),
      ),
    );
    const onnx = await runOnnx(exportOnnx(model, { float: false }), schema, own, "float64");
    expect(largestDifference(onnx.probabilities, probabilities), `ONNX, seed ${seed}`).toBeLessThan(1e-9);
    const file = place.write(`${seed}.mjs`, exportJavascript(model).script);
    const module = await import(/* @vite-ignore */ pathToFileURL(file).href);
    const answers = rows.map((row) => {
      const shares = module.predict(row);
      return [module.classify(row), ...module.classes.map((name: string) => shares[name])];
    });
    compare(model, rows, answers);
    const exported = JSON.parse(exportJson(model));
    compare(
      model,
      rows,
      own.map((row) => predictByHand(exported, row)),
    );
  }
});

/**
 * What ClickHouse 18.16 takes for a constant, also as the name of a column: it knows expressions by their text, and beside a column
 * "0" every 0 of a query is that column.
 */
const LITERAL = /^(?:'.*'|[-+]?[\d.]+(?:e[-+]?\d+)?|null|nan|inf)$/is;

describe.each(sqlEngines)("in $name", ({ name: engineName, available, open }) => {
  let engine: SqlEngine | undefined;
  beforeAll(async () => {
    if (available) engine = await open();
  });
  afterAll(() => engine?.stop());

  test.skipIf(!available)(`${MODELS} models with names of all sorts answer as the library does`, async () => {
    for (let seed = 0; seed < MODELS; seed++) {
      const { model, rows } = namedModel(seed);
      const isLiteral = model.schema.columns.some(({ name }) => LITERAL.test(name));
      if (engineName === "ClickHouse" && isLiteral) continue;
      compare(model, rows, (await engine?.answer(model, rows)) ?? []);
    }
  });
});
