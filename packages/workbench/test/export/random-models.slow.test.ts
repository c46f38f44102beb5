import { modelShapes } from "./support/random-models.ts";
import { testRandomModels } from "./support/test-random-models.ts";

testRandomModels(modelShapes);
