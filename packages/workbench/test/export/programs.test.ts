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

describe.each(languages)("a model in $language", ({ language, ask, missing, forR }) => {
  const place = new Workplace();

  test.skipIf(missing)(`answers as the library does, ${language} itself asked`, () => {
    const questions = recipes()
      .filter(({ seed, block, trees }) => seed !== 2 && (trees || block !== 10))
      .map((recipe) => makeModel(recipe, 60));
    expect(questions).toHaveLength(20);
    const answers = ask(place, questions);
    questions.forEach((question, j) => {
      compareAnswers(question, answers[j]);
    });
  });

  test.skipIf(missing)("takes nothing in a name for code", () => {
    const questions = Array.from({ length: 40 }, (_, seed) => hostileQuestion(seed, forR));
    const answers = ask(place, questions);
    questions.forEach((question, j) => {
      compareAnswers(question, answers[j]);
    });
    expect(existsSync(place.path(WITNESS))).toBe(false);
  });
});
