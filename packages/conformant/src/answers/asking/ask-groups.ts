import { divergence } from "../../math/divergence.ts";
import type { Model } from "../../model/model.ts";
import { type AskNextOptions, type Question, readCosts } from "../../queries/asking/ask-next.ts";
import { drawColumns } from "../../queries/completion/draw-columns.ts";
import { type Feature, missingFeatures } from "../../queries/explanation/features.ts";
import { decide, isAnother } from "../../queries/terms/decision.ts";
import { encodeRow } from "../../queries/terms/query-input.ts";
import { emptyLike, gapLike, isGapCell, type Row, type Table } from "../../schema/data.ts";
import type { Watch } from "../../watch.ts";
import { predictColumns } from "../predict.ts";

/** Rows that are drawn for what the columns of a group may turn out to be. */
const DRAWS = 256;

/**
 * The value of asking for columns together, as a panel of tests or a part of an image comes: rows are drawn given what is known, and the model
 * answers each with the columns of the group known. The mean divergence of these answers from the present one is the information of the
 * group; its standard error is told. Columns of no group, and groups of one missing column, have their exact value.
 *
 * @param ask the questions of a row, a column each
 */
export function askGroups(
  model: Model,
  row: Row,
  options: AskNextOptions,
  ask: (row: Row) => readonly Question[],
  watch: Watch,
): Question[] {
  const { groups = {}, costs = {}, ...reading } = options;
  const table = encodeRow(model, row, reading);
  const features = missingFeatures(model, table, 0, groups);
  const costOf = readCosts(model, costs, Object.keys(groups));
  const alone = features.some(({ columns }) => columns.length === 1) ? ask(row) : [];
  const prior = predictColumns(model, table).probabilities;
  const drawn = features.some(({ columns }) => columns.length > 1) ? drawColumns(model, table, DRAWS, 0) : [];
  const { columns: schema } = model.classifier.schema;
  const questions = features.map(({ name, columns }, f): Question => {
    watch.step(f / features.length);
    const cost = costOf(name);
    const own = alone.find(({ column }) => columns.length === 1 && column === schema[columns[0]].name);
    const worth =
      own ?? worthOf(model, table, { name, columns }, { ...table, rows: DRAWS, columns: drawn }, prior);
    return { ...worth, column: name, cost, gainPerCost: worth.informationGain / cost };
  });
  return questions.sort((a, b) => b.gainPerCost - a.gainPerCost);
}

/** What the answers to drawn rows say, of which only the columns of a feature, and what is known anyway, are shown. */
function worthOf(
  model: Model,
  known: Table,
  { columns: asked }: Feature,
  drawn: Table,
  prior: Float64Array,
): Pick<Question, "informationGain" | "changesDecision"> & { readonly error: number } {
  const columns = drawn.columns.map((cells, i) =>
    asked.includes(i) || !isGapCell(known.columns[i], 0)
      ? cells
      : emptyLike(cells, drawn.rows).fill(gapLike(cells)[0]),
  );
  const { probabilities } = predictColumns(model, { ...drawn, columns });
  const K = prior.length;
  const now = decide(prior).class;
  const answers = Array.from({ length: drawn.rows }, (_, r) => probabilities.subarray(r * K, (r + 1) * K));
  const gains = answers.map((answer) => divergence(answer, prior));
  const informationGain = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const squares = gains.reduce((sum, gain) => sum + (gain - informationGain) ** 2, 0);
  return {
    informationGain: Math.max(0, informationGain),
    changesDecision: answers.filter((answer) => isAnother(answer, now)).length / answers.length,
    error: Math.sqrt(squares / (gains.length * (gains.length - 1))),
  };
}
