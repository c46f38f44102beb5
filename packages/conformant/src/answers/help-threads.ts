import { expectPart, maximisePart } from "../conform/mixture/em/steps-in-parts.ts";
import { predictPart } from "../queries/prediction/predict-in-parts.ts";
import { type HelperPort, helpWith } from "../threads/help-with.ts";
import { predictTreesPart } from "./trees/predict-trees.ts";

/** Makes the calling thread help whoever has made threads of the other side of its port, for as long as it lives. */
export function helpThreads(port: HelperPort): void {
  helpWith([predictPart, predictTreesPart, expectPart, maximisePart], port);
}
