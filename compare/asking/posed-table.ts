import { readFileSync } from "node:fs";
import { type Classifier, conformMixture, loadModel, random, type Table, train } from "conformant";
import { pickRows } from "conformant/internal";
import { shuffled } from "conformant-workbench";
import { dataFolders } from "../../paper/datasets/data-folder.ts";
import { LABEL as CLASS, type DatasetSource } from "../../paper/datasets/dataset.ts";
import { datasetOf } from "../../paper/datasets/datasets.ts";
import { type Digit, readMnist } from "../../paper/digits/read-digits.ts";
import { LABEL, tableOf } from "../tables/compare-table.ts";
import { TABLES } from "../tables/tables.ts";
import type { OrderRequest } from "./orders.ts";

/** A table whose rows are asked about, some anew for each split. */
export interface PosedTable {
  readonly name: string;
  /** Splits that are tested where no number is given, and rows of each. */
  readonly splits: number;
  readonly rows: number;
  readonly pose: (split: number, rows: number) => Posed;
}

/** One split: what orders are made from, and the classes of the rows that are asked about. */
export interface Posed {
  readonly request: OrderRequest;
  readonly labels: Int32Array;
}

/** The share of the rows of a table that is trained on, and rows that fixed orders and spreads of scores are learned from. */
const [TRAINED, LEARNED_FROM] = [0.7, 2000];
/** Questions that ours chooses one by one where there are many; the others follow its last ranking. */
const CHOSEN = 24;

/** All tables: those of the comparison, two of the paper's, and the digits of MNIST in blocks of pixels. */
export const POSED: readonly PosedTable[] = [
  ...TABLES.map(({ name, read }): PosedTable => {
    let table: Table | undefined;
    return {
      name,
      splits: 6,
      rows: 100,
      pose: (split, rows) => {
        table ??= tableOf(read());
        return poseTable(table, split, rows);
      },
    };
  }),
  posePaper(datasetOf("adult"), "Adult", 1000),
  posePaper(datasetOf("splice"), "Splice", 105),
  { name: "MNIST in 49 blocks", splits: 6, rows: 50, pose: poseDigits },
];

function poseTable(table: Table, split: number, rows: number): Posed {
  const order = shuffled(table.rows, random(split));
  const cut = Math.round(TRAINED * table.rows);
  const training = pickRows(table, order.slice(0, cut));
  const test = pickRows(table, order.slice(cut, cut + rows));
  const classifier = train(training, { label: LABEL });
  return {
    request: {
      model: conformMixture(classifier, features(training, classifier)),
      tested: features(test, classifier),
      training: features(training, classifier),
      trainingLabels: classCodes(training, classifier.classes),
      costs: {},
      chosen: CHOSEN,
      seed: split,
      progress: () => undefined,
    },
    labels: classCodes(test, classifier.classes),
  };
}

/** A dataset of the paper by its publisher's split; another split asks about other test rows, none of them twice. */
function posePaper(source: DatasetSource, name: string, asked: number): PosedTable {
  let made: Pick<OrderRequest, "model" | "training" | "trainingLabels"> | undefined;
  return {
    name,
    splits: 6,
    rows: asked,
    pose: (split, rows) => {
      const { training, test, testLabels } = source.read(dataFolders(), 0, "ours");
      const classes = made?.model.response.outputs;
      if (!made || !classes) {
        const classifier = train(training, { label: CLASS });
        const learned = pickRows(training, shuffled(training.rows, random(0)).slice(0, LEARNED_FROM));
        made = {
          model: conformMixture(classifier, features(training, classifier)),
          training: features(learned, classifier),
          trainingLabels: classCodes(learned, classifier.classes),
        };
      }
      const chosen = partOf(test.rows, split, rows);
      return {
        request: {
          ...made,
          tested: pickRows(test, chosen),
          costs: {},
          chosen: CHOSEN,
          seed: split,
          progress: () => undefined,
        },
        labels: Int32Array.from(chosen, (r) => made?.model.response.outputs.indexOf(testLabels[r]) ?? -1),
      };
    },
  };
}

/** Pixels along a side of an image, and of a block. */
const [SIDE, BLOCK] = [28, 4];

/** The digits of MNIST, by the model of paper/digits; a question is a block of 4 × 4 pixels. */
function poseDigits(split: number, rows: number): Posed {
  const file = new URL("../../paper/digits/model.json", import.meta.url);
  const model = loadModel(readFileSync(file, "utf8"));
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const pick = (name: "train" | "t10k", part: number, count: number): Digit[] => {
    const all = readMnist(name);
    return Array.from(partOf(all.length, part, count), (r) => all[r]);
  };
  const bitsOf = (digits: readonly Digit[]): Table => ({
    schema,
    rows: digits.length,
    columns: schema.columns.map((_, i) => Int8Array.from(digits, ({ bits }) => bits[i])),
    unseen: [],
  });
  const codes = (digits: readonly Digit[]): Int32Array =>
    Int32Array.from(digits, ({ label }) => classes.indexOf(label));
  const [learned, asked] = [pick("train", 0, LEARNED_FROM), pick("t10k", split, rows)];
  return {
    request: {
      model,
      tested: bitsOf(asked),
      training: bitsOf(learned),
      trainingLabels: codes(learned),
      groups: blocksOf(schema.columns.map(({ name }) => name)),
      costs: {},
      chosen: CHOSEN,
      seed: split,
      progress: () => undefined,
    },
    labels: codes(asked),
  };
}

/** The pixels of an image in square blocks, by the names of their columns. */
function blocksOf(names: readonly string[]): Record<string, string[]> {
  const perSide = SIDE / BLOCK;
  const blockOf = (i: number): number =>
    Math.floor(Math.floor(i / SIDE) / BLOCK) * perSide + Math.floor((i % SIDE) / BLOCK);
  return Object.fromEntries(
    Array.from({ length: perSide * perSide }, (_, b) => [
      `block ${b}`,
      names.filter((_, i) => blockOf(i) === b),
    ]),
  );
}

/** Rows in a random order, so many in each part. */
function partOf(all: number, part: number, rows: number): Int32Array {
  return shuffled(all, random(0)).slice(part * rows, (part + 1) * rows);
}

/** The columns of the classifier, without the label. */
function features(rows: Table, classifier: Classifier): Table {
  return {
    ...rows,
    schema: classifier.schema,
    columns: rows.columns.slice(0, classifier.schema.columns.length),
  };
}

/** The position of each row's class among those of the classifier. */
function classCodes({ schema, columns }: Table, classes: readonly string[]): Int32Array {
  const label = schema.columns[columns.length - 1];
  const names = label.kind === "categorical" ? label.values : ["0", "1"];
  return Int32Array.from(columns[columns.length - 1], (code) => classes.indexOf(names[code]));
}
