import { classifyRows } from "../../classifier/classify-rows.ts";
import type { Model } from "../../model/model.ts";
import { drawColumns } from "../../queries/completion/draw-columns.ts";
import type { Feature } from "../../queries/explanation/features.ts";
import { type EncodedColumn, emptyLike, gapLike, type Table } from "../../schema/data.ts";
import { answerRows } from "../../trees/answer-rows.ts";
import { hasTrees } from "../trees/tree-model.ts";
import type { CoalitionGame } from "./coalition-game.ts";

/** Rows that are drawn from the model at once, for features to be put into. */
const BACKGROUND = 1024;

/** The row that is asked about, as a table of its own, and its features. */
interface AskedRow {
  readonly model: Model;
  readonly table: Table;
  readonly features: readonly Feature[];
}

/**
 * The interventional game, v(S) = E[ worth of F_c(y_S, X_rest) ]: the features in S are set, all else is drawn from the model as if nothing were known.
 * What the known features tell about the others does not count, only what the classifier itself makes of them.
 */
export function interventionalGame(
  { model, table, features }: AskedRow,
  c: number,
  worth: (p: number) => number,
  seed: number,
): CoalitionGame {
  const n = features.length;
  const nothing = { ...table, columns: table.columns.map(gapLike) };
  let [background, chunk]: [readonly EncodedColumn[], number] = [[], -1];
  const K = model.classifier.classes.length;
  return {
    players: n,
    values: () => undefined,
    along: (order, draw) => {
      const r = draw % BACKGROUND;
      if (chunk !== Math.floor(draw / BACKGROUND)) {
        chunk = Math.floor(draw / BACKGROUND);
        background = drawColumns(model, nothing, BACKGROUND, seed + chunk);
      }
      // Row j has the first j features of the order; the others, and the gaps, are those of a drawn row.
      const columns = background.map((cells) => emptyLike(cells, n + 1).fill(cells[r]));
      order.forEach((f, j) => {
        for (const i of features[f].columns) columns[i].fill(table.columns[i][0], j + 1);
      });
      const rows = { ...table, rows: n + 1, columns };
      const answers = hasTrees(model) ? answerRows(model.trees, rows) : classifyRows(model.classifier, rows);
      return Float64Array.from({ length: n + 1 }, (_, j) => worth(answers[j * K + c]));
    },
  };
}
