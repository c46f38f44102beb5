import { expect, test } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { readPmml } from "../../../src/import/pmml/read-pmml.ts";

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
