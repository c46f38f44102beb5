import type { TreeGame } from "../trees/tree-game.ts";
import type { CoalitionGame } from "./coalition-game.ts";

/** Sets of features of which the trees' expected answer is asked. */
const MOST_SETS = 1 << 10;

/** The conditional game of trees: their expected answer for each set, exact or drawn as {@link TreeGame} finds it. */
export function treeCoalitions(game: TreeGame, c: number, worth: (p: number) => number): CoalitionGame {
  const n = game.features.length;
  const worthOf = (known: readonly number[]): number => worth(game.value(known)[c]);
  return {
    players: n,
    values: () => {
      if (2 ** n > MOST_SETS) return undefined;
      return Float64Array.from({ length: 2 ** n }, (_, set) =>
        worthOf(game.features.flatMap((_, f) => ((set >> f) & 1 ? [f] : []))),
      );
    },
    along: (order) => Float64Array.from({ length: n + 1 }, (_, j) => worthOf([...order.slice(0, j)])),
  };
}
