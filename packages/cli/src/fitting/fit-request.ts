import type { CommandColumns } from "../options/column-options.ts";
import type { Messages } from "../options/command.ts";
import type { FitOptions } from "../options/fit-options.ts";
import type { Connector } from "../sources/connector.ts";

/** What a fit starts from. */
export interface FitRequest {
  readonly connector: Connector;
  readonly columns: CommandColumns;
  readonly options: FitOptions;
  readonly gaps: readonly string[];
  readonly messages: Messages;
  /** What the fit is of, by name, once the source has been prepared: a fit that was broken off may only be gone on with by the same. */
  readonly identity: () => Readonly<Record<string, string>>;
}
