import { beforeAll, test } from "vitest";
import { interruptAtRandom, LONG_JOBS, prepareJobs } from "../support/interrupt-at-random.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
beforeAll(() => prepareJobs(place));

test.each(LONG_JOBS)("signals at ten random moments of $name leave nothing behind", async (job) => {
  await interruptAtRandom(place, job, 10, 2);
});
