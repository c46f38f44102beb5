import { scoreCandidatePart } from "../mixture/score-candidate.ts";
import { expectPart, maximizePart } from "../mixture/steps-in-parts.ts";
import { type HelperPort, helpWith } from "../threads/serve-parts.ts";
import { predictPart } from "./predict.ts";

/** Makes the calling thread help whoever has made threads of the other side of its port, for as long as it lives. */
export function helpThreads(port: HelperPort): void {
  helpWith([predictPart, expectPart, maximizePart, scoreCandidatePart], port);
}
