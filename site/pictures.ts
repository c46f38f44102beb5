// Draws the pictures of README and docs/ into docs/images, from measured results and by the library.
//
//   npm run pictures

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawPictures } from "./draw-pictures.ts";

for (const { name, svg } of drawPictures())
  writeFileSync(fileURLToPath(new URL(`../docs/images/${name}.svg`, import.meta.url)), svg);
