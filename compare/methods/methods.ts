import { BOOSTING } from "./boosting.ts";
import type { CompareMethod } from "./compare-method.ts";
import { LIBRARY_METHODS } from "./library-methods.ts";
import { ours } from "./ours.ts";
import { PEER_IMPUTERS } from "./peer-imputers.ts";

/** All methods, ours first. */
export const METHODS: readonly CompareMethod[] = [ours, ...LIBRARY_METHODS, ...PEER_IMPUTERS, ...BOOSTING];
