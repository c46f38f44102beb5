import { explain, explainInWords, howSure, type Model, type Row, surprise } from "conformant";

/** What `predict --interval --explain --surprise --json` adds to a row, as the library has it. */
export function addedColumns(model: Model, row: Row): Record<string, unknown> {
  const [sure, why, odd] = [howSure(model, row), explain(model, row), surprise(model, row)];
  return {
    intervalLow: sure.interval[0].value,
    intervalHigh: sure.interval[1].value,
    sameDecision: sure.sameDecision.value,
    sufficient: why.sufficient,
    opposing: why.opposing,
    explanation: explainInWords(why),
    logEvidence: odd.logEvidence,
    typicality: odd.share.value,
  };
}
