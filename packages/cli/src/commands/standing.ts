import { type Estimate, howSure, type Model, predict, type Row } from "conformant";
import { type DecisionSummary, decide, decisionInWords } from "conformant/internal";
import { short } from "conformant-workbench";

/** The current decision, and whether it would stay the same with everything known. */
export interface Standing extends DecisionSummary {
  readonly probabilities: Readonly<Record<string, number>>;
  readonly sameDecision: Estimate;
}

export function standingOf(model: Model, row: Row, seed: number): Standing {
  const {
    response: { outputs: classes },
  } = model;
  const probabilities = predict(model, row);
  const { class: k, tied } = decide(classes.map((name) => probabilities[name]));
  return {
    prediction: classes[k],
    probability: probabilities[classes[k]],
    tied: tied.map((j) => classes[j]),
    probabilities,
    sameDecision: howSure(model, row, { seed }).sameDecision,
  };
}

/** The decision, its basis and how safe it is, in two or three sentences. */
export function standingInWords(standing: Standing, row: Row): string {
  const known = Object.entries(row).map(([name, value]) => `${name} = ${shown(value)}`);
  const rest = known.length === 0 ? "Nothing is known yet." : `Known: ${known.join(", ")}.`;
  return `${decisionInWords(standing)} ${rest} ${safetyInWords(standing.sameDecision)}`;
}

export function safetyInWords(sameDecision: Estimate): string {
  return `With everything known the decision would be the same with probability ${estimateText(sameDecision)}.`;
}

/** Two decimals; three near 1; with bounds where they differ. */
export function estimateText({ value, lower, upper }: Estimate): string {
  const near = value >= 0.945 && value < 1;
  const text = near && value >= 0.9995 ? "> 0.999" : value.toFixed(near ? 3 : 2);
  return upper - lower < 0.01 ? text : `${text} (${lower.toFixed(2)} to ${upper.toFixed(2)})`;
}

function shown(value: Row[string]): string {
  return typeof value === "number" ? short(value, 6) : String(value);
}
