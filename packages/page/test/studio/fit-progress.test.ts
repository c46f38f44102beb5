import { expect, test } from "vitest";
import { NO_SHARE, overallShare, type Share, shownShare } from "../../src/studio/fit-progress.ts";

test("progress never falls, moves while a stage reports nothing, and does not pass the end of the stage", () => {
  const told = [
    { what: "counting values", share: 0.5 },
    { what: "trying trees", share: 0.9 },
    { what: "choosing the penalty", share: 0.1 },
    { what: "training" },
    { what: "a stage without a name" },
    { what: "choosing the size of the mixture", share: 0.02 },
    { what: "training", share: 1 },
    { what: "scoring new rows", share: 0.4 },
  ];
  let share: Share = NO_SHARE;
  let shown = 0;
  for (const progress of told) {
    const next = overallShare(progress, false, share);
    expect(next.reached).toBeGreaterThanOrEqual(share.reached);
    expect(next.stageEnd).toBeGreaterThanOrEqual(next.reached);
    share = next;
    for (const seconds of [0, 1, 20, 1000]) {
      const now = shownShare(share, seconds);
      expect(now).toBeGreaterThanOrEqual(share.reached);
      expect(now).toBeLessThanOrEqual(share.stageEnd);
      if (seconds === 20) expect(now).toBeGreaterThan(shownShare(share, 1));
      shown = Math.max(shown, now);
    }
  }
  expect(shown).toBeLessThanOrEqual(1);
  expect(overallShare({ what: "evaluating", share: 0.5 }, true, NO_SHARE).reached).toBeCloseTo(0.5, 12);
});
