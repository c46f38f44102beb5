import { conform, createClassifier, random } from "conformant";
import { logJoint } from "conformant/internal";
import { modelFromNaiveBayes } from "conformant-workbench/baselines";
import { allRows, binarySchema, rowOf, sigmoid } from "./binary.ts";
import { type Claim, printWhenMain } from "./claim.ts";
import { naiveBayesFromLogistic, naiveBayesOf } from "./lemma-2.ts";

const COLUMNS = 3;
const ROWS = 500;
const SWEEPS = 15;
/** A search along one parameter after the other comes this near to the optimum. */
const SEARCH = 1e-4;

/** Section 4: the labels that complete the data do not matter. */
export const anyCompletion: Claim = {
  title: "Section 4, any completion",
  says: "whatever weights complete the unlabeled data, maximizing the joint likelihood over conformant distributions gives the same optimum, that of the marginal likelihood.",
  look: () => {
    const g = random(6);
    const F = createClassifier({
      schema: binarySchema(COLUMNS),
      classes: ["not c", "c"],
      intercept: Float64Array.of(0, -0.4),
      weights: Float64Array.of(0, 1.3, 0, -0.8, 0, 0.5),
    });
    const rows = allRows(COLUMNS);
    const counts = rows.map(() => 1 + g.integer((2 * ROWS) / rows.length));
    const weightOfClass: Readonly<Record<string, (r: number) => number>> = {
      "the class is always c": () => 1,
      "half and half": () => 0.5,
      "the classifier's own": (r) => sigmoid(-0.4 + 1.3 * rows[r][0] - 0.8 * rows[r][1] + 0.5 * rows[r][2]),
      "at random": () => g.uniform(),
    };
    const data = rows.flatMap((bits, r) => Array.from({ length: counts[r] }, () => rowOf(bits)));
    const { logConditional } = naiveBayesOf(conform(F, data, { pseudocount: 0 }));
    const optimum = rows[0].map((_, i) => Math.exp(logConditional[(2 * i + 1) * 2 + 1]));
    const found = Object.entries(weightOfClass).map(([name, weight]) => {
      const alpha = rows.map((_, r) => weight(r));
      const theta = maximize((t) => {
        const model = modelFromNaiveBayes(naiveBayesFromLogistic(F, t));
        return rows.reduce((sum, bits, r) => {
          const joint = logJoint(model, rowOf(bits));
          return sum + counts[r] * ((1 - alpha[r]) * joint["not c"] + alpha[r] * joint.c);
        }, 0);
      });
      return { name, theta };
    });
    const text = (theta: readonly number[]): string => theta.map((x) => x.toFixed(4)).join(", ");
    const distance = Math.max(...found.flatMap(({ theta }) => theta.map((x, i) => Math.abs(x - optimum[i]))));
    return {
      holds: distance < SEARCH,
      found: [
        `\`conform\`, which looks at no label, finds P(x | c) = ${text(optimum)}.`,
        ...found.map(
          ({ name, theta }) =>
            `Completed so that ${name === "the class is always c" ? name : `the weights are ${name}`}: ${text(theta)}.`,
        ),
      ],
    };
  },
};

/** The largest value over (0, 1)^n by golden sections along one parameter after the other; the function is concave in them. */
function maximize(value: (theta: readonly number[]) => number): number[] {
  const ratio = (Math.sqrt(5) - 1) / 2;
  const theta = Array.from({ length: COLUMNS }, () => 0.5);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < COLUMNS; i++) {
      const at = (x: number): number => value(theta.map((own, j) => (j === i ? x : own)));
      let [low, high] = [1e-4, 1 - 1e-4];
      while (high - low > 1e-7) {
        const [a, b] = [high - ratio * (high - low), low + ratio * (high - low)];
        if (at(a) < at(b)) low = a;
        else high = b;
      }
      theta[i] = (low + high) / 2;
    }
  }
  return theta;
}

printWhenMain(import.meta.url, anyCompletion);
