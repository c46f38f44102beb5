import { badges } from "./figures/badges.ts";
import { comparedMethods } from "./figures/compared-methods.ts";
import { startOf } from "./figures/figure.ts";
import { figures } from "./figures/figures.ts";
import { gapsAndAccuracy } from "./figures/gaps-and-accuracy.ts";
import { growth } from "./figures/growth.ts";
import { linearExample } from "./figures/linear-example.ts";
import { standalone } from "./figures/plot.ts";
import { worlds } from "./figures/worlds.ts";

/** All pictures of docs/images that are drawn, not taken; figures as they are before a slider moves. */
export function drawPictures(): { readonly name: string; readonly svg: string }[] {
  return [
    { name: "gaps-and-accuracy", svg: gapsAndAccuracy() },
    { name: "compared-methods", svg: comparedMethods() },
    { name: "growth", svg: growth() },
    { name: "missing-worlds", svg: worlds() },
    { name: "linear-example", svg: linearExample() },
    ...figures.map((figure) => ({ name: figure.name, svg: figure.draw(startOf(figure)).svg })),
  ]
    .map(({ name, svg }) => ({ name, svg: standalone(svg) }))
    .concat(badges());
}
