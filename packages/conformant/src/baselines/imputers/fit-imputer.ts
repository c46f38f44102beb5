import { requireOptions } from "../../errors.ts";
import type { Schema } from "../../schema/column.ts";
import type { Data } from "../../schema/data.ts";
import type { WatchOptions } from "../../watch.ts";
import { type ChainedEquationsOptions, fitChainedEquations } from "./fit-chained-equations.ts";
import { fitConstants } from "./fit-constants.ts";
import { type EmOptions, fitEm } from "./fit-em.ts";
import { fitNearestNeighbours, type NearestNeighboursOptions } from "./fit-nearest-neighbours.ts";
import type { Imputer, ImputerMethod } from "./imputer.ts";

/** The settings of the imputers that have any. */
export interface ImputerOptions extends WatchOptions {
  readonly em?: EmOptions;
  readonly mice?: ChainedEquationsOptions;
  readonly knn?: NearestNeighboursOptions;
}

/** Fits an imputer by name on training data, whose rows may have gaps themselves. */
export function fitImputer(
  method: ImputerMethod,
  schema: Schema,
  data: Data,
  options: ImputerOptions = {},
): Imputer {
  requireOptions(options);
  const { onProgress, signal } = options;
  switch (method) {
    case "em":
      return fitEm(schema, data, { onProgress, signal, ...options.em });
    case "mice":
      return fitChainedEquations(schema, data, { onProgress, signal, ...options.mice });
    case "knn":
      return fitNearestNeighbours(schema, data, options.knn);
    default:
      return fitConstants(schema, data, method);
  }
}
