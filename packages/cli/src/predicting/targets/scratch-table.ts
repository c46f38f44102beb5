import { quoteLiteral } from "conformant-workbench/sql";
import { type AddedValue, addedText } from "../added-columns.ts";
import { answersOf, type LineWriter, type ResultColumns, resultNames } from "../prediction-lines.ts";

/** Results on their way into a table, as CSV that loses nothing: a text is in quotes, NULL is nothing. */
export function scratchLines(result: ResultColumns): LineWriter {
  const { classes } = result;
  const K = classes.length;
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const names = classes.map(quote);
  const field = (value: AddedValue): string =>
    typeof value === "number" ? String(value) : quote(addedText(value));
  return {
    header: `${resultNames(result).map(quote).join(",")}\n`,
    lines: (batch) => {
      const { rows, added, texts } = batch;
      const { decision, probability } = answersOf(batch, K, String);
      let text = "";
      for (let r = 0; r < rows; r++) {
        text += names[decision(r)];
        for (let k = 0; k < K; k++) text += `,${probability(r, k)}`;
        for (const value of added[r] ?? []) text += `,${field(value)}`;
        for (const column of texts) {
          const value = column[r];
          text += value === null ? "," : `,${quote(value)}`;
        }
        text += "\n";
      }
      return text;
    },
  };
}

/** The types that hold the columns of a result in DuckDB, in order. */
export function resultTypes({ classes, added, kept }: ResultColumns): string[] {
  return [
    "VARCHAR",
    ...classes.map(() => "DOUBLE"),
    ...added.map(({ isNumber }) => (isNumber ? "DOUBLE" : "VARCHAR")),
    ...kept.map(({ type }) => type ?? "VARCHAR"),
  ];
}

/** The relation that reads a file of {@link scratchLines} in DuckDB. */
export function scratchRelation(file: string, result: ResultColumns): string {
  const types = resultTypes(result);
  const columns = resultNames(result).map((name, c) => `${quoteLiteral(name)}: ${quoteLiteral(types[c])}`);
  return `read_csv(${quoteLiteral(file)}, auto_detect=false, header=true, delim=',', quote='"', escape='"', nullstr='', allow_quoted_nulls=false, parallel=true, columns={${columns.join(", ")}})`;
}
