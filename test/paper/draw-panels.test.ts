import { explain, type Row, random } from "conformant";
import { expect, it } from "vitest";
import { randomModel, randomRow } from "../../packages/conformant/test/support/random-model.ts";
import { drawPanels } from "../../paper/explain/draw-panels.ts";

const model = randomModel({ seed: 4, columns: 12, classes: 2, kinds: ["binary"] });
const row = randomRow(model, random(4));

it("shows all features, the support, the largest weights and the sufficient explanation, gray elsewhere", () => {
  const explanation = explain(model, row);
  const byWeight = [...explanation.support].reverse();
  const svg = drawPanels(model, [{ row, explanation, title: "one", byWeight }], {
    width: 4,
    height: 3,
    scale: 2,
  });
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

it("leaves unknown pixels gray and stacks several images", () => {
  const some: Row = { x0: 1, x1: 0 };
  const images = [row, some].map((image) => ({ row: image, explanation: explain(model, image) }));
  const svg = drawPanels(model, images, { width: 4, height: 3 });
  expect(svg).toContain(">all features (2)<");
  expect(svg.match(/<g /g)?.length).toBe(6);
});
