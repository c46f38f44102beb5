/**
 * Answers to every question on 37 small models, recorded once: a change of the structure must not change them. They say what the library
 * answers, not what is right; that the other tests check.
 *
 *     RECORD=1 npx vitest run packages/conformant/test/checks/recorded-answers.test.ts -t "trees-forest: askNext"
 *
 * records answers that changed on purpose, here those to one question on one model, and leaves all others as they are.
 */
import { ConformantError, saveModel } from "conformant";
import { afterAll, describe, expect, it } from "vitest";
import { FUNCTIONS } from "./recorded-answers/functions.ts";
import { RECORDED_MODELS, type RecordedModel } from "./recorded-answers/models.ts";
import { type Case, questionsFor, readCase } from "./recorded-answers/questions.ts";
import {
  Answers,
  difference,
  type Recorded,
  readModelText,
  recordable,
  recording,
  writeModelText,
} from "./recorded-answers/recording.ts";

/** The parameters of a model and its certificate, as its file has them. */
const parametersOf = (text: string): unknown => {
  const { format: _, version: __, checksum: ___, ...rest } = JSON.parse(text);
  return rest;
};

/** The file of a model. Where it is to be recorded and there is none, it is fitted. */
async function modelText({ name, fitModel }: RecordedModel): Promise<string | undefined> {
  const recorded = readModelText(name);
  if (recorded !== undefined || !recording || fitModel === undefined) return recorded;
  const text = saveModel((await fitModel()).model);
  writeModelText(name, text);
  return text;
}

const texts = new Map<string, string | undefined>();
for (const recorded of RECORDED_MODELS) texts.set(recorded.name, await modelText(recorded));

/** The answer to a question; where it is refused, the code of the error, whose message may change. */
async function answerOf(question: () => unknown): Promise<Recorded> {
  try {
    return recordable(await question());
  } catch (error) {
    if (error instanceof ConformantError) return { refused: error.code };
    throw error;
  }
}

/** Checks the answers to some questions against a file of them, one test each. */
function checkAnswers(name: string, questions: Readonly<Record<string, () => unknown>>): void {
  const answers = new Answers(name);
  const order = Object.keys(questions);
  for (const question of order) {
    it(`${name}: ${question}`, async () => {
      const wrong = answers.check(question, await answerOf(questions[question]));
      if (wrong !== undefined) expect.fail(wrong);
    });
  }
  it(`${name}: nothing is recorded that is not asked`, () => {
    const stale = answers.questions.filter((question) => !order.includes(question));
    if (recording) for (const question of stale) answers.remove(question);
    else expect(stale).toEqual([]);
  });
  afterAll(() => answers.save(order));
}

describe.each(RECORDED_MODELS)("$name", ({ name, fitModel }) => {
  const text = texts.get(name);
  if (text === undefined) {
    it(`${name}: the model is recorded`, () => expect.fail(`there is no models/${name}.json`));
    return;
  }
  let read: Case | undefined;
  const asked = (): Case => {
    read ??= readCase(text);
    return read;
  };
  const fitting = fitModel && {
    fit: async () => {
      const { model, beside } = await fitModel();
      return { model: parametersOf(saveModel(model)), beside };
    },
  };
  const questions = Object.entries(questionsFor(text)).map(([question, ask]) => [
    question,
    () => ask(asked()),
  ]);
  checkAnswers(name, { ...fitting, ...Object.fromEntries(questions) });
});

describe("functions of data and classifiers", () => checkAnswers("functions", FUNCTIONS));

describe("the comparison with recorded answers", () => {
  it("finds numbers that differ by more than rounding, also deep inside", () => {
    expect(difference({ a: [1, 2] }, { a: [1, 2 + 1e-12] })).toBeUndefined();
    expect(difference({ a: [1, 2] }, { a: [1, 2 + 1e-11] })).toContain("a[1] is 2.00000000001, recorded 2");
    expect(difference([1e-9], [1e-9 + 1e-18], 0)).toContain("[0] is");
    expect(difference([1e-9], [1e-9 + 1e-18])).toBeUndefined();
    expect(difference({ error: 1e-13 }, { error: 1e-15 })).toBeUndefined();
    expect(difference({ error: 1e-13 }, { error: 1e-5 })).toContain("error is");
  });

  it("finds other texts, ranks, lengths, and fields that come or go", () => {
    expect(difference(["a", "b"], ["b", "a"])).toContain(`[0] is "b", recorded "a"`);
    expect(difference(["a"], ["a", "b"])).toContain("length is 2");
    expect(difference({ a: 1 }, {})).toContain("a is absent");
    expect(difference({}, { a: 1 })).toContain("recorded is none");
    expect(difference(1, "1")).toContain("recorded 1");
    expect(difference(null, 0)).toContain("recorded null");
  });
});
