import { askTree, explain, type Questionnaire, random } from "conformant";
import { describe, expect, it, test } from "vitest";
import { randomGaussianModel } from "../../../conformant/test/support/random-gaussian-model.ts";
import { randomModel, randomRow } from "../../../conformant/test/support/random-model.ts";
import { drawContributions } from "../../src/charts/draw-contributions.ts";
import { drawQuestionnaire } from "../../src/charts/draw-questionnaire.ts";

const model = randomModel({ seed: 4, columns: 12, classes: 2, kinds: ["binary"] });
const row = randomRow(model, random(4));

/** Every tag is closed and in order. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, closing, name, empty] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (closing) {
      if (open.pop() !== name) return false;
    } else if (!empty) open.push(name);
  }
  return open.length === 0;
}

describe("the picture of contributions", () => {
  it("has a bar for every feature and both ends", () => {
    const explanation = explain(model, row);
    const svg = drawContributions(explanation);
    expect(isWellFormed(svg)).toBe(true);
    expect(svg.startsWith("<svg xmlns=")).toBe(true);
    for (const { column, value } of explanation.contributions)
      expect(svg).toContain(`>${column} = ${value}<`);
    expect(svg).toContain("nothing known");
    expect(svg).toContain(`prediction: ${explanation.prediction}`);
  });

  it("adds up the weaker features", () => {
    const svg = drawContributions(explain(model, row), { most: 4 });
    expect(svg).toMatch(/>8 others/);
    expect(svg.match(/\+\d|−\d/g)?.length).toBe(5);
  });

  it("can be drawn with nothing known, and for extreme probabilities", () => {
    expect(isWellFormed(drawContributions(explain(model, {})))).toBe(true);
    const extreme = randomModel({ seed: 4, columns: 12, classes: 2, scale: 60 });
    const svg = drawContributions(explain(extreme, randomRow(extreme, random(1))));
    expect(svg).not.toMatch(/NaN|Infinity/);
  });

  it("writes names as text, not as markup", () => {
    const explanation = { ...explain(model, {}), prediction: '<script>"&' };
    expect(drawContributions(explanation)).toContain("&lt;script&gt;&quot;&amp;");
  });
});

test("the picture of a questionnaire has every place and every answer", () => {
  const model = randomGaussianModel({ seed: 11, numbers: 2, classes: 2, components: 2 });
  const tree = askTree(model, {}, { depth: 2, threshold: 1 });
  const svg = drawQuestionnaire(tree);
  const count = (node: Questionnaire): number =>
    1 + (node.question?.branches ?? []).reduce((sum, { next }) => sum + count(next), 0);
  expect(svg.match(/<path/g)).toHaveLength(count(tree) - 1);
  expect(svg).toMatch(/^<svg[^>]*>/);
  expect(svg).not.toMatch(/NaN|undefined/);
  // The first prediction is where the title is, at the left margin.
  const [title, first] = Array.from(svg.matchAll(/<text[^>]* x="([^"]+)"/g), ([, x]) => x);
  expect(first).toBe(title);
});
