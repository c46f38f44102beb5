import { beforeAll, test } from "vitest";
import { interruptAtRandom, LONG_JOBS, prepareJobs } from "../support/interrupt-at-random.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
beforeAll(() => prepareJobs(place));

test.each(LONG_JOBS)(
  "a signal at a random moment ends $name and leaves nothing behind",
  { timeout: 120_000 },
  async (job) => {
    await interruptAtRandom(place, job, 1, 1);
  },
);
