import { askNext, conform, type Model, predict, type Row, random, train } from "conformant";
import { expect, test } from "vitest";

const g = random(4);
const rows: Row[] = Array.from({ length: 400 }, () => {
  const [a, b, c] = [g.integer(2), g.integer(3), g.integer(2)];
  return { a, b: "xyz"[b], c, d: g.integer(2), y: a + b + g.integer(2) > 2 + c ? "yes" : "no" };
});
const model = conform(train(rows, { label: "y" }), rows);

/** Standard errors that a mean of draws may be from the truth. */
const ERRORS = 4;

/** I(class; a, b | known) and the chance of another decision, over all values of both. */
function enumerated(of: Model, known: Row): { gain: number; changes: number } {
  const now = predict(of, known);
  const best = (p: Record<string, number>): string => (p.yes > p.no ? "yes" : "no");
  let [gain, changes] = [0, 0];
  for (const a of [0, 1])
    for (const b of ["x", "y", "z"]) {
      const then = predict(of, { ...known, a, b });
      const share = probabilityOf(of, known, a, b);
      for (const name of ["yes", "no"]) gain += share * then[name] * Math.log(then[name] / now[name]);
      if (best(then) !== best(now)) changes += share;
    }
  return { gain, changes };
}

/** P(a, b | known) by the model: with one component columns are independent given the class. */
function probabilityOf(of: Model, known: Row, a: number, b: string): number {
  const now = predict(of, known);
  return ["yes", "no"].reduce((sum, name) => {
    const k = of.response.outputs.indexOf(name);
    return sum + now[name] * shareOf(of, "a", String(a), k) * shareOf(of, "b", b, k);
  }, 0);
}

/** P(column = value | class), from what the value says about the class: P(class | value) P(value) / P(class). */
function shareOf(of: Model, column: string, value: string, k: number): number {
  const name = of.response.outputs[k];
  const values = column === "a" ? ["0", "1"] : ["x", "y", "z"];
  const own = values.map((v) => {
    const cell = column === "a" ? Number(v) : v;
    return predict(of, { [column]: cell })[name];
  });
  const marginal = values.map(
    (v) => rows.filter((row) => String(row[column]) === v).length + PSEUDO / values.length,
  );
  const all = own.map((p, i) => p * marginal[i]);
  return all[values.indexOf(value)] / all.reduce((sum, x) => sum + x, 0);
}

/** The pseudocount of the fit. */
const PSEUDO = 1;

test.each([[{}], [{ c: 1 }], [{ c: 0, d: 1 }]])(
  "a group is worth what all of its values together tell, up to the error that is told, given %j",
  (known: Row) => {
    const { gain, changes } = enumerated(model, known);
    const found = askNext(model, known, { groups: { panel: ["a", "b"] } }).find(
      ({ column }) => column === "panel",
    );
    if (!found) throw new Error("the group is no question");
    expect(found.error).toBeGreaterThan(0);
    expect(Math.abs(found.informationGain - gain)).toBeLessThan(ERRORS * (found.error ?? 0) + 2e-3);
    const error = Math.sqrt((changes * (1 - changes)) / 256);
    expect(Math.abs(found.changesDecision - changes)).toBeLessThan(ERRORS * error + 0.01);
  },
);

test("columns of no group, and groups of which one column is missing, have their exact value", () => {
  const alone = askNext(model, { a: 1 });
  const grouped = askNext(model, { a: 1 }, { groups: { panel: ["a", "b"] } });
  const by = (questions: typeof alone, name: string): number | undefined =>
    questions.find(({ column }) => column === name)?.informationGain;
  expect(grouped.map(({ column }) => column).sort()).toEqual(["c", "d", "panel"]);
  expect(by(grouped, "c")).toBe(by(alone, "c"));
  expect(by(grouped, "panel")).toBe(by(alone, "b"));
});

test("a group has a cost of its own, and costs decide the order", () => {
  const [first] = askNext(model, {}, { groups: { panel: ["a", "b", "c"] } });
  expect(first).toMatchObject({ column: "panel", cost: 1 });
  const dear = askNext(model, {}, { groups: { panel: ["a", "b", "c"] }, costs: { panel: 1e6 } });
  expect(dear[dear.length - 1]).toMatchObject({ column: "panel", cost: 1e6 });
});

test.each([
  [{ groups: { panel: ["a", "wing"] } }, '"wing" is not a column'],
  [{ groups: { panel: ["a"], other: ["a"] } }, "groups are disjoint"],
  [{ groups: { panel: ["a"] }, lookAhead: true }, "cannot both be given"],
  [{ groups: { panel: ["a"] }, costs: { penal: 2 } }, '"penal" is not a column'],
])("%j is refused", (options, message) => {
  expect(() => askNext(model, {}, options)).toThrow(message);
});
