import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { askPython, askR } from "./support/ask-exported.ts";
import { compareAnswers } from "./support/compare-answers.ts";
import { hostileQuestion, WITNESS } from "./support/hostile-names.ts";
import { makeModel, recipes } from "./support/model-recipes.ts";
import { hasPython } from "./support/python.ts";
import { hasR } from "./support/rscript.ts";

const languages = [
  { language: "Python", ask: askPython, missing: !hasPython("numpy"), forR: false },
  { language: "R", ask: askR, missing: !hasR(), forR: true },
];

describe.each(languages)("models in $language", ({ ask, missing, forR }) => {
  const place = new Workplace();

  test.skipIf(missing)("answer as the library does: 40 models, 500 rows each", () => {
    const questions = recipes().map((recipe) => makeModel(recipe, 500));
    expect(questions).toHaveLength(40);
    const answers = ask(place, questions);
    questions.forEach((question, j) => {
      compareAnswers(question, answers[j]);
    });
  });

  test.skipIf(missing)("take nothing in a name for code: 2,000 models", () => {
    for (let start = 0; start < 2000; start += 250) {
      const questions = Array.from({ length: 250 }, (_, j) => hostileQuestion(1000 + start + j, forR));
      const answers = ask(place, questions);
      questions.forEach((question, j) => {
        compareAnswers(question, answers[j]);
      });
    }
    expect(existsSync(place.path(WITNESS))).toBe(false);
  });
});
