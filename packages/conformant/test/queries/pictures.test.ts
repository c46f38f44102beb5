import { describe, expect, it } from "vitest";
import { drawContributions, drawPanels } from "../../src/entries/pictures.ts";
import { explain, type Row } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

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
  it("show all, support, the rival and the sufficient explanation, grey where not chosen", () => {
    const explanation = explain(model, row);
    const svg = drawPanels(model, [{ row, explanation, title: "one" }], { width: 4, height: 3, scale: 2 });
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

  it("have room for pixels that the model left out, which stay grey", () => {
    const names = model.classifier.schema.columns.map(({ name }) => name);
    const pixels = ["left out", ...names, "right out"];
    const images = [{ row, explanation: explain(model, row) }];
    const svg = drawPanels(model, images, { width: 7, height: 2, scale: 1, pixels });
    const [, all] = svg.split("<g ");
    const drawn = [...all.matchAll(/x="(\d+)" y="(\d+)" width="(\d+)" height="1" fill="#(00|ff)/g)].flatMap(
      ([, x, y, width, colour]) =>
        Array.from({ length: Number(width) }, (_, i) => [
          7 * Number(y) + Number(x) + i,
          colour === "ff" ? 1 : 0,
        ]),
    );
    expect(drawn.sort(([a], [b]) => a - b)).toEqual(names.map((name, i) => [i + 1, row[name]]));
  });

  it("leave unknown pixels grey and stack several images", () => {
    const some: Row = { x0: 1, x1: 0 };
    const images = [row, some].map((image) => ({ row: image, explanation: explain(model, image) }));
    const svg = drawPanels(model, images, { width: 4, height: 3 });
    expect(svg).toContain(">all features (2)<");
    expect(svg.match(/<g /g)?.length).toBe(8);
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
