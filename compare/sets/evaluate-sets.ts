import {
  type Classifier,
  calibrate,
  conformMixture,
  type EncodedColumn,
  predictionSets,
  type Random,
  random,
  type Table,
  train,
} from "conformant";
import { pickRows } from "conformant/internal";
import { shuffled } from "conformant-workbench";
import { type BaselineName, fitBaseline } from "conformant-workbench/baselines";
import { LABEL } from "../tables/compare-table.ts";

/** How often sets must hold the true class. */
export const COVERAGE = 0.9;
/** Shares of the columns that a mask hides, and masks of each share. */
export const SHARES = [0.2, 0.4, 0.6, 0.8] as const;
const MASKS = 5;
/** The shares of the rows that are trained on, and that sets are calibrated with; the rest is tested. */
const [TRAINED, CALIBRATED] = [0.5, 0.25];

/** How often the sets of a method held the class of the tested rows, and how many classes they held: sums over rows, per mask. */
export interface SetCounts {
  readonly method: string;
  readonly rows: number[];
  readonly covered: number[];
  readonly classes: number[];
}

type Answer = (rows: Table) => Float64Array;

/**
 * Sets of one split of a table. "this mask": the calibration rows have the gaps of the tested ones; "own gaps": as is usual, they have
 * gaps of their own at random, as many as the tested rows have on average.
 */
export function evaluateSets(table: Table, split: number): SetCounts[] {
  const generator = random(split);
  const [training, calibration, test] = splitTable(table, generator);
  const classifier = train(training, { label: LABEL });
  const masks = masksOf(classifier.schema.columns.length);
  const model = conformMixture(classifier, withoutLabel(training, classifier));
  const kept = calibrate(model, calibration);
  const [features, labels] = [withoutLabel(test, classifier), labelCodes(test, classifier.classes)];
  const counts = [
    count("ours, this mask", masks, labels, classifier, (mask) => {
      const { members } = predictionSets(model, kept, hide(features, mask), { coverage: COVERAGE });
      return members;
    }),
  ];
  const ownLabels = labelCodes(calibration, classifier.classes);
  const own = withoutLabel(calibration, classifier);
  for (const name of ["mean", "mice"] as const satisfies readonly BaselineName[]) {
    const fitted = fitBaseline(name, classifier, training);
    const answer: Answer = (rows) => fitted.predict(rows).probabilities;
    const gappy = hideAtRandom(own, generator);
    const usual = scoresOf(answer(gappy), ownLabels);
    counts.push(
      count(`${name}, own gaps`, masks, labels, classifier, (mask) =>
        membersOf(answer(hide(features, mask)), usual, classifier.classes.length),
      ),
      count(`${name}, this mask`, masks, labels, classifier, (mask) =>
        membersOf(
          answer(hide(features, mask)),
          scoresOf(answer(hide(own, mask)), ownLabels),
          classifier.classes.length,
        ),
      ),
    );
  }
  return counts;
}

/** Which columns each mask leaves: the same for every split. */
export function masksOf(columns: number): readonly (readonly boolean[])[] {
  const generator = random(columns);
  return SHARES.flatMap((share) =>
    Array.from({ length: MASKS }, () => {
      const order = shuffled(columns, generator);
      const hidden = new Set(order.slice(0, Math.max(1, Math.round(share * columns))));
      return Array.from({ length: columns }, (_, i) => !hidden.has(i));
    }),
  );
}

function count(
  method: string,
  masks: readonly (readonly boolean[])[],
  labels: Int32Array,
  { classes: { length: K } }: Classifier,
  membersUnder: (mask: readonly boolean[]) => Uint8Array,
): SetCounts {
  const counts: SetCounts = { method, rows: [], covered: [], classes: [] };
  for (const mask of masks) {
    const members = membersUnder(mask);
    counts.rows.push(labels.length);
    counts.covered.push(labels.reduce((sum, k, r) => sum + members[r * K + k], 0));
    counts.classes.push(members.reduce((sum, one) => sum + one, 0));
  }
  return counts;
}

/** What was said of the true classes, the largest first. */
function scoresOf(probabilities: Float64Array, labels: Int32Array): Float64Array {
  const K = probabilities.length / labels.length;
  return Float64Array.from(labels, (k, r) => probabilities[r * K + k])
    .sort()
    .reverse();
}

/** The classes that are as likely as the ⌈(n + 1) · coverage⌉-th of the scores, and the likeliest. */
function membersOf(probabilities: Float64Array, scores: Float64Array, K: number): Uint8Array {
  const rank = Math.ceil((scores.length + 1) * COVERAGE - 1e-9);
  const least = rank > scores.length ? 0 : scores[rank - 1];
  return Uint8Array.from(probabilities, (p, at) => {
    const start = at - (at % K);
    const most = Math.max(...probabilities.subarray(start, start + K));
    return p >= least || p === most ? 1 : 0;
  });
}

export function hide(table: Table, mask: readonly boolean[]): Table {
  return { ...table, columns: table.columns.map((cells, i) => (mask[i] ? cells : gaps(cells))) };
}

/** Each row has as many gaps as one of the masks. */
function hideAtRandom(table: Table, generator: Random): Table {
  const n = table.columns.length;
  const columns = table.columns.map((cells) => cells.slice());
  for (let r = 0; r < table.rows; r++) {
    const share = SHARES[generator.integer(SHARES.length)];
    for (const i of shuffled(n, generator).slice(0, Math.max(1, Math.round(share * n))))
      columns[i][r] = columns[i] instanceof Float64Array ? Number.NaN : -1;
  }
  return { ...table, columns };
}

function gaps(cells: EncodedColumn): EncodedColumn {
  return cells.slice().fill(cells instanceof Float64Array ? Number.NaN : -1);
}

function splitTable(table: Table, generator: Random): [Table, Table, Table] {
  const order = shuffled(table.rows, generator);
  const [first, second] = [TRAINED, TRAINED + CALIBRATED].map((share) => Math.round(share * table.rows));
  return [
    pickRows(table, order.slice(0, first)),
    pickRows(table, order.slice(first, second)),
    pickRows(table, order.slice(second)),
  ];
}

function withoutLabel(table: Table, { schema }: Classifier): Table {
  return { ...table, schema, columns: table.columns.slice(0, schema.columns.length) };
}

/** The position of each row's class among those of the classifier. */
function labelCodes({ schema, columns }: Table, classes: readonly string[]): Int32Array {
  const label = schema.columns[columns.length - 1];
  const names = label.kind === "categorical" ? label.values : ["0", "1"];
  return Int32Array.from(columns[columns.length - 1], (code) => classes.indexOf(names[code]));
}
