import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Classifier,
  conform,
  conformMixture,
  inferSchema,
  type Model,
  type Row,
  random,
  type Schema,
} from "conformant";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { matchClassifier } from "../../../src/fit/import-classifier.ts";
import type { ImportedClassifier } from "../../../src/import/imported-classifier.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { parseCsv } from "../../../src/memory/csv-text.ts";
import type { SourceColumn } from "../../../src/sql/source-column.ts";

export function fixture(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)));
}

/** The rows of the table that the fixtures were trained on. */
export const rows: readonly Row[] = readRows();

export const schema: Schema = inferSchema(rows);

/** The columns as a source has them. */
export const sourceColumns: readonly SourceColumn[] = schema.columns.map(({ name, kind }) => ({
  name,
  storage: kind === "categorical" ? "text" : "number",
  type: "",
}));

function readRows(): Row[] {
  const [names, ...cells] = parseCsv(fixture("table.csv").toString(), ",");
  return cells.map((row) =>
    Object.fromEntries(
      names.map((name, i) => [name, Number.isFinite(Number(row[i])) ? Number(row[i]) : row[i]]),
    ),
  );
}

/** A file of the fixtures as its reader hands it over. */
export function bring(name: string, bytes: Uint8Array = fixture(name)): ImportedClassifier {
  return parseClassifier(bytes, { path: name, columns: sourceColumns, ...COMMAND_READING });
}

/** The same on the columns of the table. */
export function importedClassifier(name: string, bytes?: Uint8Array): Classifier {
  const predictor = matchClassifier(bring(name, bytes), name, schema.columns);
  if (predictor.kind !== "additive") throw new RangeError(`${name} is no additive classifier`);
  return predictor;
}

/** Endings of the formats that a classifier can be brought in, in single precision where it says so. */
export const formats = [
  { ending: "json", tolerance: 1e-9 },
  { ending: "onnx", tolerance: 1e-5 },
  { ending: "pmml", tolerance: 1e-9 },
  { ending: "general.pmml", tolerance: 1e-9 },
  { ending: "csv", tolerance: 1e-9 },
] as const;

export interface NamedModel {
  readonly name: string;
  readonly model: Model;
}

const quickly = { maxIterations: 10, restarts: 1 };

/** Models with a Gaussian block over the numeric columns, for two and seven classes, with one and eight components. */
export function gaussianModels(): NamedModel[] {
  return ["two", "seven"].flatMap((classes) =>
    [1, 8].map((components) => ({
      name: `${classes} classes, M = ${components}`,
      model: conformMixture(importedClassifier(`${classes}.json`), rows, {
        ...quickly,
        components,
        numeric: "gaussian",
      }),
    })),
  );
}

/** A model for every format that a classifier can come in, for two and seven classes, with one and eight components. */
export function broughtModels(): NamedModel[] {
  return ["two", "seven"].flatMap((classes) =>
    formats.flatMap(({ ending }) => {
      const classifier = importedClassifier(`${classes}.${ending}`);
      return [
        { name: `${classes}.${ending}, M = 1`, model: conform(classifier, rows) },
        {
          name: `${classes}.${ending}, M = 8`,
          model: conformMixture(classifier, rows, { ...quickly, components: 8, numeric: "atoms" }),
        },
      ];
    }),
  );
}

/** Rows with 0 to 100 % gaps; numbers beyond the range of the table and categories that no model knows are among them. */
export function randomRows(count: number, seed: number): Row[] {
  const draw = random(seed).uniform;
  return Array.from({ length: count }, (_, r) => {
    const rate = r % 5 === 0 ? (r % 10 === 0 ? 0 : 1) : draw();
    const cells = schema.columns.flatMap((column): [string, Row[string]][] => {
      if (draw() < rate) return [];
      if (column.kind === "numeric") {
        const value = rows[Math.floor(draw() * rows.length)][column.name] as number;
        return [[column.name, draw() < 0.5 ? value : value * (0.5 + draw())]];
      }
      if (column.kind === "binary") return [[column.name, draw() < 0.5 ? 0 : 1]];
      const values = column.kind === "categorical" ? column.values : [];
      return [[column.name, draw() < 0.1 ? "Atlantis" : values[Math.floor(draw() * values.length)]]];
    });
    return Object.fromEntries(cells);
  });
}
