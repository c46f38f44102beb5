import { explain, explainInWords, howSure, type Model, type Row, surprise } from "conformant";

/** What `predict --interval --explain --surprise --json` adds to a row, as the library has it. */
export function addedColumns(model: Model, row: Row): Record<string, unknown> {
  const [sure, why, odd] = [howSure(model, row), explain(model, row), surprise(model, row)];
  return {
    interval_low: sure.interval[0].value,
    interval_high: sure.interval[1].value,
    same_decision: sure.sameDecision.value,
    sufficient: why.sufficient,
    opposing: why.opposing,
    explanation: explainInWords(why),
    log_evidence: odd.logEvidence,
    typicality: odd.share.value,
  };
}
