import { it } from "vitest";
import { torture } from "./torture.ts";

const SEED = Number(process.env.TORTURE_SEED ?? Date.now() % 2 ** 31);
const CALLS = Number(process.env.TORTURE_CALLS ?? 1_000_000);

it(`no call of a million hangs, throws what is not its own error, or answers what cannot be: seed ${SEED}`, async () => {
  const counts = await torture(CALLS, SEED);
  console.table(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
}, 36_000_000);
