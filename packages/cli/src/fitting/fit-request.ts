import type { Messages } from "../arguments/command.ts";
import type { ColumnOptions } from "../columns/column-options.ts";
import type { Connector } from "../sources/connector.ts";
import type { FitOptions } from "./fit-options.ts";

/** What a fit starts from. */
export interface FitRequest {
  readonly connector: Connector;
  readonly columns: ColumnOptions;
  readonly options: FitOptions;
  readonly gaps: readonly string[];
  readonly messages: Messages;
}
