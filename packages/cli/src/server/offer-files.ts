import type { Hono } from "hono";
import { etag } from "hono/etag";
import { ApiError, errorBody } from "./api-error.ts";
import type { BodyLimits } from "./body-limits.ts";
import type { createExchange, Env, Terms } from "./exchange.ts";
import { apiHeaders } from "./guard.ts";
import type { Asset } from "./page-assets.ts";
import { sendAsset } from "./send-asset.ts";

type ExchangeOne = ReturnType<typeof createExchange>;

/** Bytes in a millisecond that a client must read of a file. */
const SLOWEST_READER = 16;

/** A file by its address, and whether only someone with the token may read it. */
export interface OfferedFile {
  readonly path: string;
  readonly asset: Asset;
  readonly guarded: boolean;
}

/** Offers files. */
export function offerFiles(
  app: Hono<Env>,
  exchange: ExchangeOne,
  files: readonly OfferedFile[],
  limits: Pick<BodyLimits, "milliseconds" | "stream">,
): void {
  for (const { path, asset, guarded } of files) {
    const time = 3 * limits.milliseconds + asset.plain.bytes.length / SLOWEST_READER;
    const terms: Terms = { route: path, guarded, patience: Math.min(limits.stream, time) };
    app.get(path, etag(), (c) =>
      exchange(c, terms, () => sendAsset(path, asset, c.req.header("accept-encoding"))),
    );
  }
}

/** Is told of what should not have happened. */
export interface FaultLog {
  readonly fault: (route: string, error: unknown) => void;
}

/** Refuses all other addresses, and other methods than those an address takes. */
export function refuseTheRest(
  app: Hono<Env>,
  exchange: ExchangeOne,
  methods: ReadonlyMap<string, string>,
  { limits, log }: { readonly limits: Pick<BodyLimits, "milliseconds">; readonly log: FaultLog },
): void {
  const elsewhere: Terms = { route: "(other)", guarded: false, patience: limits.milliseconds };
  app.notFound((c) => exchange(c, elsewhere, () => refuseAddress(methods.get(c.req.path))));
  app.onError((error, c) => {
    log.fault(c.req.routePath, error);
    return new Response(errorBody("internal", "something went wrong in the server"), {
      status: 500,
      headers: apiHeaders,
    });
  });
}

function refuseAddress(allowed: string | undefined): never {
  if (allowed === undefined) throw new ApiError(404, "not-found", "there is nothing at this address");
  throw new ApiError(405, "wrong-method", `this address takes ${allowed}`, { Allow: allowed });
}

/** A short answer. */
export function reply(body: string, type = "application/json"): Response {
  return new Response(body, { headers: { ...apiHeaders, "Content-Type": type } });
}
