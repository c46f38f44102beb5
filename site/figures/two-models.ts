import { createClassifier, type Model, predict } from "conformant";
import { modelFromNaiveBayes } from "conformant-workbench/baselines";
import { naiveBayesFromLogistic } from "../../paper/claims/lemma-2.ts";
import type { Figure } from "./figure.ts";
import { axes, dot, type Frame, label, line, type Point, percent, picture, place } from "./plot.ts";

const WIDTH = 640;
const HEIGHT = 430;
const frame: Frame = { left: 150, right: 610, top: 64, bottom: 360, x: [0, 1], y: [10.5, -0.5] };

/** The logistic regression of the paper's first figure. */
const classifier = createClassifier({
  schema: {
    columns: [
      { name: "x1", kind: "binary" },
      { name: "x2", kind: "binary" },
    ],
  },
  classes: ["not c", "c"],
  intercept: Float64Array.of(0, -1.16),
  weights: Float64Array.of(0, 2.23, 0, -0.2),
});
/** Naive Bayes with the given P(x = 1 | c) that agrees with the classifier on every complete row (the paper's lemma 2). */
const modelOf = (x1: number, x2: number): Model =>
  modelFromNaiveBayes(naiveBayesFromLogistic(classifier, [x1, x2]));
const paper = modelOf(0.8, 0.45);

/** The questions, from complete to empty; null leaves a space. */
const questions: readonly ({ readonly x1?: number; readonly x2?: number } | null)[] = [
  { x1: 0, x2: 0 },
  { x1: 0, x2: 1 },
  { x1: 1, x2: 0 },
  { x1: 1, x2: 1 },
  null,
  { x1: 0 },
  { x1: 1 },
  { x2: 0 },
  { x2: 1 },
  {},
];

/** Two distributions that agree with one classifier wherever nothing is missing, and disagree where something is. */
export const twoModels: Figure = {
  name: "two-models",
  controls: [
    {
      name: "x1",
      label: "Second model: how often x1 = 1 within the class",
      least: 0.02,
      most: 0.98,
      step: 0.02,
      start: 0.6,
    },
    {
      name: "x2",
      label: "Second model: how often x2 = 1 within the class",
      least: 0.02,
      most: 0.98,
      step: 0.02,
      start: 0.9,
    },
  ],
  draw: ({ x1, x2 }) => {
    const second = modelOf(x1, x2);
    const marks = questions.flatMap((question, row) => {
      if (!question) return [];
      const [first, other] = [paper, second].map((model): Point => [predict(model, { ...question }).c, row]);
      const [, y] = place(frame, first);
      return [
        label([frame.left - 12, y + 5], nameOf(question), { "text-anchor": "end" }),
        line(frame, [first, other], "rule", { "stroke-width": 4 }),
        dot(frame, first, "other", 7),
        dot(frame, other, "ours", 4),
      ];
    });
    const [a, b] = [paper, second].map((model) => percent(predict(model, {}).c));
    const svg = picture(
      WIDTH,
      HEIGHT,
      "Chances of the class by two models for complete and incomplete rows",
      axes(frame, { x: [0, 0.25, 0.5, 0.75, 1], y: [] }, { x: "chance of the class", y: "" }, { x: percent }),
      ...marks,
      dot({ ...frame, y: [0, 1] }, [0.01, 1.13], "other", 7),
      label([frame.left + 20, frame.top - 33], "first model (of the paper)", { color: "other" }),
      dot({ ...frame, y: [0, 1] }, [0.5, 1.13], "ours", 4),
      label([frame.left + 245, frame.top - 33], "second model (the sliders)", { color: "ours" }),
    );
    return {
      svg,
      caption: `Where both values are known, both models say what the classifier says, wherever the sliders stand. Where nothing is known the first says ${a}, the second ${b}.`,
    };
  },
};

function nameOf({ x1 = "?", x2 = "?" }: { readonly x1?: number | "?"; readonly x2?: number | "?" }): string {
  return `x1 = ${x1}, x2 = ${x2}`;
}
