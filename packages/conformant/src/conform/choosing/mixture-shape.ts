import { requireMade } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import type { MixtureOptions } from "./mixture-options.ts";

/** The size of a mixture and what describes its numbers. */
export type MixtureShape = Pick<MixtureOptions, "components" | "numeric" | "bins">;

/** The shape of a fitted mixture, as options for another fit that is not to choose again. */
export function mixtureShape(model: Model): MixtureShape {
  requireMade("model", model);
  const { components, certificate } = model;
  const { choice } = certificate;
  const bins = choice?.curve[choice.chosen].bins;
  return {
    components: components.length,
    numeric: certificate.gaussian?.columns ?? "atoms",
    ...(bins !== undefined && { bins }),
  };
}
