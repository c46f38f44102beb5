import { quoted, type Remedies } from "conformant-workbench";

/** What can be done about a table, in the words of Python. */
export const REMEDIES: Remedies = {
  keepColumn: (name) => `types={${quoted(name)}: 'categorical'} or 'numeric' keeps it`,
  keepCategories: (name) => `types={${quoted(name)}: 'categorical'} keeps it`,
  strangeText: (name, text) =>
    `missing_values=[${quoted(text)}] takes it for missing, types={${quoted(name)}: 'categorical'} takes every value for a category`,
  nearlyNumbers: () => "convert them with pandas.to_numeric",
  ambiguousNumber: () => "convert them with pandas.to_numeric",
  exclude: (name) => `X.drop(columns=${quoted(name)}) leaves it out`,
  readAsMissing: (texts) =>
    `missing_values=[${texts.map(quoted).join(", ")}] reads ${texts.length === 1 ? "it" : "them"} as missing`,
  group: () => undefined,
  wrongValue: (text) => `if ${quoted(text)} means missing, pass missing_values=[${quoted(text)}]`,
  date: (name, part) =>
    `add the part that matters as a column: X[${quoted(part)}] = X[${quoted(name)}].dt.${part}`,
  tooManyValues: "leave the column out, or make groups of its values",
  tooManyClasses: "ExpectedRegressor predicts numbers; pandas.cut turns them into classes",
  predictClasses: "ExpectedClassifier predicts classes",
  strangeCategories: "spell the values of X as the classifier does",
};
