import { modelShapes } from "./support/random-models.ts";
import { testRandomModels } from "./support/test-random-models.ts";

// Those with the most and the fewest of everything; random-models.slow.test.ts has all of them.
testRandomModels(
  modelShapes.filter(
    ({ classes, components, numbers, gaussian, seed }) =>
      seed === 1 && gaussian && (classes === 2) === (components === 8) && numbers > 3 === (components === 8),
  ),
);
