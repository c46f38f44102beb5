import { expectedPrediction, random } from "conformant";
import { bitsOf, countModels, independentModel, randomFormula, satisfies } from "./binary.ts";
import { type Claim, printWhenMain } from "./claim.ts";

const VARIABLES = 10;
const TRIALS = 12;

/** Proposition 1: a nontrivial classifier and the uniform distribution. */
export const proposition1: Claim = {
  title: "Proposition 1",
  says: "the expectation of a classifier that tests a logical constraint, over uniform columns, counts the solutions of the constraint, which is #P-hard.",
  look: () => {
    const g = random(3);
    const uniform = independentModel(Array.from({ length: VARIABLES }, () => 0.5));
    const runs = Array.from({ length: TRIALS }, (_, trial) => {
      const formula = randomFormula(VARIABLES, 20 + 3 * trial, g);
      const F = (row: Parameters<typeof bitsOf>[0]): number =>
        Number(satisfies(bitsOf(row, VARIABLES), formula));
      const expected = expectedPrediction(F, uniform, {}).value;
      return { counted: countModels(formula, VARIABLES), expected: 2 ** VARIABLES * expected };
    });
    return {
      holds: runs.every(({ counted, expected }) => Math.round(expected) === counted),
      found: [
        `${TRIALS} random formulas of ${VARIABLES} variables: 2^${VARIABLES} times the expectation is ${runs.map(({ expected }) => Math.round(expected)).join(", ")}.`,
        `Solutions, counted by branching on literals: ${runs.map(({ counted }) => counted).join(", ")}.`,
      ],
    };
  },
};

printWhenMain(import.meta.url, proposition1);
