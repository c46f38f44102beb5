import { counted, maskNames, roundPercent, type SetsEvaluation } from "conformant-workbench";
import { textTable } from "../terminal/text-table.ts";
import { withError } from "./evaluation-text.ts";

/** Rows of a table about prediction sets, a cell per share of masked cells. */
export function setsTable(sets: SetsEvaluation): { header: string[]; rows: string[][] } {
  const { rates, mechanism, covered, standardError, classes, enough } = sets;
  const numbers = (values: readonly number[], digits: number): string[] =>
    values.map((value) => value.toFixed(digits));
  return {
    header: ["masked", ...maskNames(rates.slice(1), mechanism)],
    rows: [
      ["hold the class", ...covered.map((share, i) => `${share.toFixed(4)}${withError(standardError[i])}`)],
      ["classes in a set", ...numbers(classes, 2)],
      ["can rule out", ...numbers(enough, 2)],
    ],
  };
}

/** The requested coverage, and the numbers of rows used for calibration and scoring. */
export function setsSentence({ coverage, rows, calibrationRows }: SetsEvaluation): string {
  return `Sets that are to hold the class in ${roundPercent(coverage)} of rows, by ${counted(calibrationRows, "calibration row")}, on ${counted(rows, "row")}`;
}

/** The coverage of prediction sets by share of masked cells. */
export function setsText(sets: SetsEvaluation): string {
  const { header, rows } = setsTable(sets);
  return `${setsSentence(sets)}\n${textTable(header, rows, (c) => c > 0)}`;
}

/** The same as JSON. */
export function setsJson({
  coverage,
  rates,
  mechanism,
  rows,
  calibrationRows,
  ...lists
}: SetsEvaluation): object {
  const { covered, standardError, classes, enough } = lists;
  return {
    coverage,
    missing: rates,
    mask: mechanism,
    rows,
    calibrationRows,
    covered,
    standardError,
    classes,
    enough,
  };
}
