import { expect, test } from "vitest";
import { drawPictures } from "../../site/draw-pictures.ts";
import { figures } from "../../site/figures/figures.ts";
import { readText } from "../repository.ts";

test.each(drawPictures())("docs/images/$name.svg is what `npm run pictures` draws", ({ name, svg }) => {
  expect(readText(`docs/images/${name}.svg`)).toBe(svg);
});

test.each(figures)("figure $name can be drawn wherever its sliders stand", ({ controls, draw }) => {
  for (const end of ["least", "most"] as const) {
    const { svg, caption } = draw(
      Object.fromEntries(controls.map((control) => [control.name, control[end]])),
    );
    expect(svg + caption).not.toMatch(/NaN|undefined|Infinity/);
  }
});
