import { type Sensitivity, sensitivityInWords } from "conformant";
import type { Names } from "../frame/names.ts";

/** How far from random missing values may be, in words, with the names that people see. */
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
