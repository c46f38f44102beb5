import { random } from "conformant";
import { allRows, countModels, type Formula, randomFormula } from "./binary.ts";
import { type Claim, printWhenMain } from "./claim.ts";

const VARIABLES = 8;
const TRIALS = 10;

/** Proposition 2: a classifier that returns one column, and a graphical model. */
export const proposition2: Claim = {
  title: "Proposition 2",
  says: "the expectation of a classifier that returns one column, over a graphical model, is a marginal of the model, which is #P-hard.",
  look: () => {
    const g = random(4);
    const runs = Array.from({ length: TRIALS }, (_, trial) => {
      const formula = randomFormula(VARIABLES, 16 + 2 * trial, g);
      return { counted: countModels(formula, VARIABLES), expected: 2 ** VARIABLES * expectedLast(formula) };
    });
    return {
      holds: runs.every(({ counted, expected }) => Math.round(expected) === counted),
      found: [
        `${TRIALS} random formulas of ${VARIABLES} variables as Bayesian networks: uniform variables, a node per clause that is the "or" of its literals, and a chain of nodes that each are the "and" of the one before and a clause.`,
        `The expectation of the last node, times 2^${VARIABLES}, is ${runs.map(({ expected }) => Math.round(expected)).join(", ")}; the formulas have ${runs.map(({ counted }) => counted).join(", ")} solutions.`,
      ],
    };
  },
};

/** E[last node] = Σ over the variables, which are uniform, of Π over the nodes of P(node | its parents). */
function expectedLast(formula: Formula): number {
  const rows = allRows(VARIABLES);
  return rows.reduce((sum, bits) => {
    let last = 1;
    for (const clause of formula) {
      const or = clause.some((literal) => bits[Math.abs(literal) - 1] === Number(literal > 0)) ? 1 : 0;
      last = Math.min(last, or);
    }
    return sum + last / rows.length;
  }, 0);
}

printWhenMain(import.meta.url, proposition2);
