import { expect, it } from "vitest";
import { mixtureShape } from "../../src/entries/internal.ts";
import { conformMixture, predictColumns, type Table } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { randomClassifier } from "../support/random-model.ts";

/** How much the mean log-likelihood may fall by rounding. */
const ROUNDING = 1e-9;
/** A converged fit is the same from whichever way it came, but for what the last steps still gain. */
const SAME_ANSWERS = 0.02;

const [ROWS, COLUMNS, CLASSES] = [240, 60, 12];
// 32 atoms a column: 60 · 32 · 12² make the M-step dearer than the rows are worth.
const classifier = randomClassifier({
  seed: 2,
  columns: COLUMNS,
  classes: CLASSES,
  scale: 0.1,
  kinds: ["numeric"],
});

/** Numbers of two groups. */
function wideRows(seed: number): Table {
  const g = random(seed);
  const columns = Array.from({ length: COLUMNS }, () => new Float64Array(ROWS));
  for (let r = 0; r < ROWS; r++) {
    const shift = g.integer(2) === 0 ? -1.5 : 1.5;
    for (const cells of columns) cells[r] = shift + g.normal();
  }
  return { schema: classifier.schema, rows: ROWS, columns, unseen: [] };
}

it("a mixture whose M-steps are costly rises with every single step and ends as exact as any", () => {
  const { certificate, components } = conformMixture(classifier, wideRows(1), {
    components: 2,
    numeric: "atoms",
  });
  const { objective = [] } = certificate.mixture ?? {};
  objective.forEach((value, step) => {
    if (step > 0) expect(value).toBeGreaterThanOrEqual(objective[step - 1] - ROUNDING);
  });
  expect(certificate.status).toBe("converged");
  expect(certificate.marginalMismatch).toBeLessThan(1e-10);
  expect(certificate.conformityError).toBeLessThan(1e-10);
  expect(components.map(({ logWeight }) => Math.exp(logWeight)).every((w) => w > 0.35 && w < 0.65)).toBe(
    true,
  );
});

it("its size and the atoms of its numbers are chosen from rough fits, and the one that is given back is exact", () => {
  const table = wideRows(1);
  const chosen = conformMixture(classifier, table, { numeric: "atoms", most: 2 });
  const { curve, chosen: position } = chosen.certificate.choice ?? { curve: [], chosen: 0 };
  const { bins } = curve[position];
  expect([...new Set(curve.map((candidate) => candidate.bins))]).toEqual([2, 8]);
  const [one, two] = [1, 2].map((size) =>
    curve.find((candidate) => candidate.components === size && candidate.bins === bins),
  );
  expect(two?.crossEntropy).toBeLessThan(one?.crossEntropy as number);
  expect(curve[position].components).toBe(chosen.components.length);
  expect(chosen.certificate.status).toBe("converged");
  expect(Math.max(...chosen.atoms.columns.map(({ count }) => count))).toBe(bins);
  const shape = mixtureShape(chosen);
  expect(shape).toEqual({ components: chosen.components.length, numeric: "atoms", bins });
  const asked = conformMixture(classifier, table, shape);
  const held = wideRows(2);
  const half = {
    ...held,
    columns: held.columns.map((cells, i) => (i % 2 ? cells : cells.fill(Number.NaN))),
  };
  const [a, b] = [chosen, asked].map((model) => predictColumns(model, half).probabilities);
  expect(Math.max(...a.map((p, j) => Math.abs(p - b[j])))).toBeLessThan(SAME_ANSWERS);
});
