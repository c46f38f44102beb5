import type { Row, TreesJson } from "conformant";
import { expect, test } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { readPmml } from "../../../src/import/pmml/read-pmml.ts";
import { largestDifference } from "../trees/trees-answers.ts";

const context = { path: "model.pmml", columns: [], ...COMMAND_READING };
const pmml = (name: string, weight: string): string =>
  `<PMML version="4.4"><RegressionModel functionName="classification" normalizationMethod="softmax">
    <RegressionTable targetCategory="a" intercept="1"><NumericPredictor name="${name}" coefficient="${weight}"/></RegressionTable>
    <RegressionTable targetCategory="b" intercept="0"/></RegressionModel></PMML>`;

test("only the five entities of XML are known; names that every object has are none", () => {
  for (const [written, name] of [
    ["&lt;x&amp;y&gt;", "<x&y>"],
    ["&constructor;", "&constructor;"],
    ["&toString;", "&toString;"],
    ["&__proto__;", "&__proto__;"],
    ["&#65;&#x42;", "AB"],
  ]) {
    expect(readPmml(Buffer.from(pmml(written, "1")), context).json.features).toEqual([name]);
  }
});

test("a character that does not exist is refused in one sentence", () => {
  expect(() => parseClassifier(Buffer.from(pmml("&#x110000;", "1")), context)).toThrow(
    "the file is damaged: &#x110000; is not a character",
  );
});

test("errors are short, however long what they quote", () => {
  const long = "9".repeat(100_000);
  for (const text of [
    pmml("x", `${long}x`),
    pmml("x", "1").replace("softmax", long),
    pmml("x", "1").replace("4.4", long),
    `<${"x".repeat(100_000)}>`,
    `<PMML ${"y".repeat(100_000)}>`,
  ]) {
    const thrown = (): unknown => {
      try {
        return parseClassifier(Buffer.from(text), context);
      } catch (error) {
        return error;
      }
    };
    const error = thrown() as Error;
    expect(error).toBeInstanceOf(Error);
    expect(error.message.length).toBeLessThan(400);
  }
});

/** A tree of one question: class b where the predicate is true, and otherwise class a. */
const asks = (predicate: string): string =>
  `<PMML version="4.4"><DataDictionary><DataField name="x" optype="continuous" dataType="double"/>
    <DataField name="y" optype="continuous" dataType="double"/></DataDictionary>
    <TreeModel functionName="classification"><MiningSchema><MiningField name="x"/><MiningField name="y"/></MiningSchema>
    <Node><True/><Node score="a"><False/><ScoreDistribution value="a" recordCount="1"/><ScoreDistribution value="b" recordCount="0"/></Node>
    <Node score="b">${predicate}<ScoreDistribution value="a" recordCount="0"/><ScoreDistribution value="b" recordCount="1"/></Node>
    <Node score="a"><True/><ScoreDistribution value="a" recordCount="1"/><ScoreDistribution value="b" recordCount="0"/></Node></Node></TreeModel></PMML>`;
const below = (field: string, value: number): string =>
  `<SimplePredicate field="${field}" operator="lessThan" value="${value}"/>`;

test.each<[string, string, (x: number, y: number) => boolean]>([
  ["lessThan", below("x", 2), (x) => x < 2],
  ["notEqual", '<SimplePredicate field="x" operator="notEqual" value="1"/>', (x) => x !== 1],
  [
    "isIn",
    '<SimpleSetPredicate field="x" booleanOperator="isIn"><Array type="real">0 2</Array></SimpleSetPredicate>',
    (x) => x === 0 || x === 2,
  ],
  [
    "isNotIn",
    '<SimpleSetPredicate field="x" booleanOperator="isNotIn"><Array type="real">0 2</Array></SimpleSetPredicate>',
    (x) => x !== 0 && x !== 2,
  ],
  ...(["and", "or", "xor"] as const).map((operator): [string, string, (x: number, y: number) => boolean] => [
    operator,
    `<CompoundPredicate booleanOperator="${operator}">${below("x", 1)}${below("y", 1)}${below("x", 2)}</CompoundPredicate>`,
    (x, y) => {
      const parts = [x < 1, y < 1, x < 2];
      if (operator === "and") return parts.every(Boolean);
      return operator === "or" ? parts.some(Boolean) : parts.filter(Boolean).length % 2 === 1;
    },
  ]),
])("a predicate of PMML is true where its definition says: %s", (_, predicate, isTrue) => {
  const json = parseClassifier(Buffer.from(asks(predicate)), context).json as TreesJson;
  const values = [0, 1, 2, 3];
  const rows: Row[] = values.flatMap((x) => values.map((y) => ({ x, y })));
  const answers = rows.map(({ x, y }) => (isTrue(Number(x), Number(y)) ? [0, 1] : [1, 0]));
  const columns = ["x", "y"].map((name) => ({ name, kind: "numeric" as const }));
  expect(largestDifference(json, columns, rows, answers)).toBe(0);
});

test.each([
  ["<CompoundPredicate booleanOperator='and'></CompoundPredicate>", "a CompoundPredicate has no predicates"],
  [
    `<CompoundPredicate booleanOperator='nand'>${below("x", 1)}</CompoundPredicate>`,
    'CompoundPredicate with booleanOperator "nand" is not known',
  ],
  ["<SimplePredicate field='x' operator='lessThan'/>", 'a predicate on "x" has no value'],
  ["<SimplePredicate field='x' operator='near' value='1'/>", 'the operator "near", which is not known'],
  [
    "<SimpleSetPredicate field='x' booleanOperator='isNear'><Array type='real'>0</Array></SimpleSetPredicate>",
    'SimpleSetPredicate with booleanOperator "isNear", expected "isIn" or "isNotIn"',
  ],
])("a predicate that PMML does not define is refused: %s", (predicate, message) => {
  expect(() => parseClassifier(Buffer.from(asks(predicate)), context)).toThrow(message);
});
