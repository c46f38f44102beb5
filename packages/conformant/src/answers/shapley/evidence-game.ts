import {
  addFeature,
  classScores,
  type Evidence,
  logJointOf,
  logOddsOf,
} from "../../queries/explanation/evidence.ts";
import type { CoalitionGame } from "./coalition-game.ts";

/** Up to this many sets × components × classes are gone through: a tenth of a second. */
const MOST_WORK = 1 << 22;
/** Sets of features that depend on each other, each of which takes a factorisation per component. */
const MOST_JOINT_SETS = 1 << 10;

/**
 * The conditional game of an additive model, v(S) = worth of P(c | y_S), exact for every set: features add up in log P(m, k, y_S), but for those
 * that depend on each other, which are looked at together.
 *
 * @param worth of the log-odds of class c
 */
export function evidenceGame(
  evidence: Evidence,
  c: number,
  worth: (logOdds: number) => number,
): CoalitionGame {
  const n = evidence.features.length;
  const worthOf = (logJoint: Float64Array): number => worth(logOddsOf(classScores(evidence, logJoint), c));
  const together = Array.from({ length: n }, (_, f) => f).filter((f) => evidence.joint.features.has(f));
  const apart = Array.from({ length: n }, (_, f) => f).filter((f) => !evidence.joint.features.has(f));
  return {
    players: n,
    values: () => {
      if (2 ** n * evidence.outcomes > MOST_WORK || 2 ** together.length > MOST_JOINT_SETS) return undefined;
      const values = new Float64Array(2 ** n);
      const descend = (at: number, set: number, logJoint: Float64Array): void => {
        if (at === apart.length) {
          values[set] = worthOf(logJoint);
          return;
        }
        descend(at + 1, set, logJoint);
        const more = logJoint.slice();
        addFeature(evidence, more, apart[at]);
        descend(at + 1, set | (1 << apart[at]), more);
      };
      for (let chosen = 0; chosen < 2 ** together.length; chosen++) {
        const known = together.filter((_, j) => (chosen >> j) & 1);
        descend(
          0,
          known.reduce((set, f) => set | (1 << f), 0),
          logJointOf(evidence, known),
        );
      }
      return values;
    },
    along: (order) => {
      const v = new Float64Array(n + 1);
      let logJoint = logJointOf(evidence, []);
      v[0] = worthOf(logJoint);
      for (let j = 0; j < n; j++) {
        if (evidence.joint.features.has(order[j]))
          logJoint = logJointOf(evidence, [...order.slice(0, j + 1)]);
        else addFeature(evidence, logJoint, order[j]);
        v[j + 1] = worthOf(logJoint);
      }
      return v;
    },
  };
}
