import {
  type Explanation,
  explainInWords,
  type Sensitivity,
  sensitivityInWords,
  type Value,
} from "conformant";
import type { Names } from "../frame/names.ts";

/** An explanation in words, with the names that people see. */
export function explainWithNames(explanation: Explanation, names: Names): string {
  const { prediction, tied, contributions, opposing, sufficient } = explanation;
  return explainInWords({
    ...explanation,
    prediction: names.class(prediction),
    tied: tied.map(names.class),
    contributions: contributions.map((own) => ({
      ...own,
      column: names.column(own.column),
      value: own.value === null ? null : (names.value(own.column, own.value) as Value),
    })),
    opposing: opposing.map(names.column),
    sufficient: sufficient.map(names.column),
  });
}

/** How far from random gaps may be, in words, with the names that people see. */
export function sensitivityWithNames(found: Sensitivity, names: Names): string {
  return sensitivityInWords({
    ...found,
    prediction: names.class(found.prediction),
    tilts: found.tilts.map(({ column, value, prediction, tilt }) => ({
      column: names.column(column),
      ...(value !== undefined && { value: names.value(column, value) }),
      tilt,
      prediction: prediction === null ? null : names.class(prediction),
    })),
  });
}
