import { askTree, explain, type Questionnaire, type Row, random } from "conformant";
import { describe, expect, it, test } from "vitest";
import { expectError } from "../../../conformant/test/support/error.ts";
import { randomBlockModel } from "../../../conformant/test/support/random-block-model.ts";
import { randomModel, randomRow } from "../../../conformant/test/support/random-model.ts";
import { drawContributions } from "../../src/charts/draw-contributions.ts";
import { drawPanels } from "../../src/charts/draw-panels.ts";
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

describe("the panels of an image", () => {
  it("show all features, the support, the largest weights if given and the sufficient explanation, gray elsewhere", () => {
    const explanation = explain(model, row);
    const byWeight = [...explanation.support].reverse();
    const image = { row, explanation, title: "one", byWeight };
    const svg = drawPanels(model, [image], { width: 4, height: 3, scale: 2 });
    expect(isWellFormed(svg)).toBe(true);
    const k = explanation.sufficient.length;
    for (const caption of [
      "all features (12)",
      `support (${explanation.support.length})`,
      `top ${k} by weight`,
      `sufficient (${k})`,
    ])
      expect(svg).toContain(`>${caption}<`);
    const area = (panel: string): number =>
      [...panel.matchAll(/width="(\d+)" height="(\d+)" fill="#(?:000000|ffffff)"/g)].reduce(
        (sum, [, w, h]) => sum + Number(w) * Number(h),
        0,
      );
    const areas = svg.split("<g ").slice(1).map(area);
    expect(areas).toEqual([12, explanation.support.length, k, k].map((pixels) => pixels * 4));
  });

  it("have room for pixels that the model left out, which stay gray", () => {
    const names = model.schema.columns.map(({ name }) => name);
    const pixels = ["left out", ...names, "right out"];
    const images = [{ row, explanation: explain(model, row) }];
    const svg = drawPanels(model, images, { width: 7, height: 2, scale: 1, pixels });
    const [, all] = svg.split("<g ");
    const drawn = [...all.matchAll(/x="(\d+)" y="(\d+)" width="(\d+)" height="1" fill="#(00|ff)/g)].flatMap(
      ([, x, y, width, color]) =>
        Array.from({ length: Number(width) }, (_, i) => [
          7 * Number(y) + Number(x) + i,
          color === "ff" ? 1 : 0,
        ]),
    );
    expect(drawn.sort(([a], [b]) => a - b)).toEqual(names.map((name, i) => [i + 1, row[name]]));
  });

  it("leave unknown pixels gray and stack several images", () => {
    const some: Row = { x0: 1, x1: 0 };
    const images = [row, some].map((image) => ({ row: image, explanation: explain(model, image) }));
    const svg = drawPanels(model, images, { width: 4, height: 3 });
    expect(svg).toContain(">all features (2)<");
    expect(svg.match(/<g /g)?.length).toBe(6);
  });

  it("take rows with other columns, and tell shades of 255 from those of 1", () => {
    const model = randomModel({ seed: 3, columns: 4, classes: 2, kinds: ["numeric"] });
    const picture = (values: readonly number[]): string => {
      const row = { x0: values[0], x1: values[1], x2: values[2], x3: values[3], id: 7 };
      const explanation = explain(model, row, { extra: "ignore" });
      return drawPanels(model, [{ row, explanation }], { width: 2, height: 2 });
    };
    expect(picture([1, 255, 0, 1])).toContain("#010101");
    expect(picture([1, 255, 0, 1])).toContain("#ffffff");
    expect(picture([1, 0, 1, 0])).not.toContain("#010101");
  });

  it("refuse a size that is not the model's", () => {
    const images = [{ row, explanation: explain(model, row) }];
    expectError(
      () => drawPanels(model, images, { width: 28, height: 28 }),
      "invalid-argument",
      /28 × 28 has 784 pixels, got 12 columns/,
    );
  });
});

test("the picture of a questionnaire has every place and every answer", () => {
  const model = randomBlockModel({ seed: 11, numbers: 2, classes: 2, components: 2 });
  const tree = askTree(model, {}, { depth: 2, threshold: 1 });
  const svg = drawQuestionnaire(tree);
  const count = (node: Questionnaire): number =>
    1 + (node.question?.branches ?? []).reduce((sum, { next }) => sum + count(next), 0);
  expect(svg.match(/<path/g)).toHaveLength(count(tree) - 1);
  expect(svg).toMatch(/^<svg[^>]*>/);
  expect(svg).not.toMatch(/NaN|undefined/);
});
