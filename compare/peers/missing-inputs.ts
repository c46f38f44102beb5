import { peer, run } from "../tables/compare-table.ts";
import type { TextRows } from "../tables/published-table.ts";

/** How rows of texts become numbers for programs of other languages. */
export interface Encoding {
  /** Of each input the place of each category, undefined for numbers. */
  readonly categories: readonly (ReadonlyMap<string, number> | undefined)[];
}

/** More categories of a column than these are not told apart: the rare ones have no 0/1 column. */
const MOST_CATEGORIES = 30;

/** A column whose values are all numbers is numeric; categories come by frequency in the training rows. The label, last, is no input. */
export function encodingOf(all: TextRows, training: TextRows): Encoding {
  const inputs = all.names.length - 1;
  return {
    categories: Array.from({ length: inputs }, (_, c) => {
      if (all.rows.every((row) => row[c] === null || Number.isFinite(Number(row[c])))) return undefined;
      const counts = new Map<string, number>();
      for (const row of training.rows) {
        const cell = row[c];
        if (cell !== null) counts.set(cell, (counts.get(cell) ?? 0) + 1);
      }
      const common = [...counts]
        .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
        .slice(0, MOST_CATEGORIES);
      return new Map(common.map(([value], place) => [value, place]));
    }),
  };
}

/** Numbers and codes of the inputs, null for missing; a category without a place is a code of its own. */
export function encodeTexts({ categories }: Encoding, { rows }: TextRows): (number | null)[][] {
  return rows.map((row) =>
    categories.map((places, c) => {
      const cell = row[c];
      if (cell === null) return null;
      return places ? (places.get(cell) ?? places.size) : Number(cell);
    }),
  );
}

/** What the program is asked for. */
export interface PeerTask {
  readonly encoding: Encoding;
  readonly training: TextRows;
  /** The label of each training row: codes of classes, or numbers. */
  readonly labels: readonly number[];
  /** Classes; 0 where a number is predicted. */
  readonly count: number;
  readonly tests: readonly TextRows[];
  readonly methods: readonly string[];
  /** Of each test set the inputs that were missing before cells were masked. */
  readonly missing?: readonly (readonly (readonly boolean[])[])[];
  /** For "mice", several times the training rows and those of each test set, filled. */
  readonly filled?: readonly (readonly (readonly number[])[])[];
  /** Rows that imputers learn from at most. */
  readonly most?: number;
}

export interface PeerAnswers {
  /** Per method and test set, rows × K. */
  readonly answers: Readonly<Record<string, readonly (readonly (readonly number[])[])[]>>;
  /** Classifiers that were trained on the rows as they are. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly seconds: Readonly<Record<string, number>>;
}

/** Asks scikit-learn and XGBoost. */
export function askPeers({ encoding, training, tests, ...task }: PeerTask): PeerAnswers {
  const own = {
    ...task,
    kinds: encoding.categories.map((places) => places?.size ?? 0),
    train: encodeTexts(encoding, training),
    tests: tests.map((rows) => encodeTexts(encoding, rows)),
  };
  return JSON.parse(run("/usr/bin/python3", [peer("missing_inputs.py")], JSON.stringify(own))) as PeerAnswers;
}
