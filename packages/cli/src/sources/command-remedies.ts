import { quoted, type Remedies } from "conformant-workbench";
import type { Connector } from "./connector.ts";

/** Remedies for problems of a table, as options of the command. */
export function commandRemedies({
  dialect,
  nameInQuery,
}: Pick<Connector, "dialect" | "nameInQuery">): Remedies {
  return {
    keepColumn: (name) => `--columns with ${quoted(name)} in it keeps it`,
    keepCategories: (name) => `--type ${quoted(`${name}=categorical`)} keeps it`,
    strangeText: (name, text) =>
      `--na ${quoted(text)} takes it for missing, --type ${quoted(`${name}=categorical`)} takes every value for a category`,
    nearlyNumbers: (decimal) =>
      decimal ? `--decimal ${decimal} reads them as numbers` : "--sql computes numbers from them",
    ambiguousNumber: (mark, fraction, thousands) =>
      `--decimal ${mark} reads it as ${fraction}, --decimal ${mark === "comma" ? "point" : "comma"} as ${thousands}`,
    exclude: (name) => `--exclude ${quoted(name)} leaves it out`,
    readAsMissing: (texts) =>
      `--na=${quoted(texts.join(","))} reads ${texts.length === 1 ? "it" : "them"} as missing`,
    group: (name) => `--group ${quoted(name)} holds them out together`,
    wrongValue: (text) => `if ${quoted(text)} means missing, say --na ${quoted(text)}`,
    date: (name, part) =>
      `take the parts that matter: --sql 'SELECT *, extract(${part} FROM ${dialect.identifier(name)}) AS ${part} FROM ${nameInQuery}'`,
    tooManyValues: "leave it out with --exclude, or make groups of its values with --sql",
    tooManyClasses:
      "turn the numbers into classes with --sql, for example CASE WHEN income > 50000 THEN 'high' ELSE 'low' END",
    predictClasses: "--task classification predicts classes",
    strangeCategories:
      "spell the values of the data as the classifier does, for example with --sql; --categories COLUMN=A,B,… names what its file only counts",
  };
}
