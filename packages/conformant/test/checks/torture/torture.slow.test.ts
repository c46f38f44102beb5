import { it } from "vitest";
import { showCounts, torture } from "./torture.ts";

const SEED = Number(process.env.TORTURE_SEED ?? Date.now() % 2 ** 31);
const CALLS = Number(process.env.TORTURE_CALLS ?? 1_000_000);

it(`no call of ${CALLS} hangs, throws what is not its own error, or answers what cannot be: seed ${SEED}`, async () => {
  const counts = await torture(CALLS, SEED);
  console.log(`${showCounts(counts)}\nseed ${SEED}`);
}, 36_000_000);
