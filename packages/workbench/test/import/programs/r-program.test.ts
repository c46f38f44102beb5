import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { csvCells } from "../../../../cli/test/support/run.ts";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { hasR, rscript } from "../../export/support/rscript.ts";
import { compareTrained, type TrainedAnswers, writePrograms } from "./support/trained-classifiers.ts";

const cases = [
  "glm",
  "glm-contrasts",
  "glm-without-intercept",
  "glm-polynomials",
  "multinom",
  "multinom-two",
  "glmnet",
  "glmnet-two",
  "cv-glmnet",
];

describe.skipIf(!hasR("nnet", "glmnet"))("conformant_export.R", () => {
  const place = new Workplace();

  test("writes classifiers that answer complete rows as they do in R", { timeout: 60_000 }, async () => {
    writePrograms(place);
    rscript(fileURLToPath(new URL("./support/train_classifiers.R", import.meta.url)), [], place.folder);
    const answers = cases.map((name): [string, TrainedAnswers] => {
      const [classes, ...rows] = csvCells(place.read(`${name}.answers.csv`));
      return [name, { table: "rows", classes, probabilities: rows.map((row) => row.map(Number)) }];
    });
    await compareTrained(place, Object.fromEntries(answers));
  });

  test("refuses by name what is no sum over columns", () => {
    const said = Object.fromEntries(
      place
        .read("refused.txt")
        .trim()
        .split("\n")
        .map((line) => line.split("|")),
    );
    expect(said.probit).toBe("glm of two classes with the link probit, expected logit");
    expect(said.interaction).toBe("the interaction age:city");
    expect(said.computed).toBe("the computed term log(age)");
    expect(said.nls).toContain("nls cannot be exported; known are: lm, glm, multinom");
  });
});
