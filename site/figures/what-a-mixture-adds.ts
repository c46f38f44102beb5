import { classify, conformMixture, predictColumns, random, train } from "conformant";
import type { Figure } from "./figure.ts";
import { axes, dot, type Frame, label, line, type Point, percent, picture } from "./plot.ts";

const WIDTH = 640;
const HEIGHT = 380;
const ROWS = 400;
/** Completions that the truth is averaged over, for each known age. */
const DRAWS = 200;
const frame: Frame = { left: 62, right: 610, top: 70, bottom: 310, x: [20, 80], y: [0, 1] };
const ages = Array.from({ length: 31 }, (_, i) => 20 + 2 * i);

/** Pressure is lowest in the middle of life: no straight line says that. */
const usualPressure = (age: number): number => 112 + ((age - 50) / 5) ** 2;

const g = random(7);
const people = Array.from({ length: ROWS }, () => {
  const age = 20 + 60 * g.uniform();
  const pressure = usualPressure(age) + 4 * g.normal();
  return { age, pressure, risk: pressure + 8 * g.normal() > 126 ? "high" : "low" };
});
const classifier = train(people, { label: "risk" });
const answer = (age: number, pressure: number): number => classify(classifier, { age, pressure }).high;
const truth = ages.map((age): Point => {
  const completions = Array.from({ length: DRAWS }, () => answer(age, usualPressure(age) + 4 * g.normal()));
  return [age, completions.reduce((sum, p) => sum + p, 0) / DRAWS];
});

/** One component takes columns for independent within a class; more of them follow how columns go together. */
export const whatAMixtureAdds: Figure = {
  name: "what-a-mixture-adds",
  controls: [{ name: "components", label: "Components", least: 1, most: 12, step: 1, start: 6 }],
  draw: ({ components }) => {
    const [one, many] = [1, components].map((size) => {
      const model = conformMixture(classifier, people, { components: size, numeric: "atoms", seed: 1 });
      const { probabilities } = predictColumns(model, { age: ages });
      return ages.map(
        (age, i): Point => [age, probabilities[2 * i + model.response.outputs.indexOf("high")]],
      );
    });
    const off = (points: readonly Point[]): number =>
      points.reduce((sum, [, y], i) => sum + Math.abs(y - truth[i][1]), 0) / points.length;
    const svg = picture(
      WIDTH,
      HEIGHT,
      "The expected answer by age under one component, under several, and the truth",
      axes(
        frame,
        { x: [20, 30, 40, 50, 60, 70, 80], y: [0, 0.25, 0.5, 0.75, 1] },
        { x: "age (known); the blood pressure is missing", y: "chance of high risk" },
        { y: percent },
      ),
      line(frame, truth, "truth", { "stroke-width": 6, opacity: 0.45 }),
      line(frame, one, "other", { "stroke-dasharray": "6 4" }),
      line(frame, many, "ours"),
      ...["truth", "other", "ours"].map((color, i) =>
        dot({ ...frame, x: [0, 1], y: [0, 1] }, [0.01 + 0.33 * i, 1.18], color as "truth", 5),
      ),
      label([frame.left + 16, frame.top - 38], "the truth", { color: "truth" }),
      label([frame.left + 197, frame.top - 38], "one component", { color: "other" }),
      label([frame.left + 378, frame.top - 38], `${components} components`, { color: "ours" }),
    );
    return {
      svg,
      caption: `With one component the answer is off by ${points(off(one))} on average, with ${components} by ${points(off(many))}.`,
    };
  },
};

function points(share: number): string {
  return `${(100 * share).toFixed(1)} points`;
}
