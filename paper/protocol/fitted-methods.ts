import { isAdditive, type Predictor } from "../methods/method.ts";
import { methodOf } from "../methods/methods.ts";
import { type FollowedRows, startFollowing } from "./scores/follow-rows.ts";
import type { Setup } from "./setup.ts";

/** Methods that were fitted once, for all repeats. */
export interface FittedMethods {
  readonly setup: Setup;
  /** The additive ones of the names, with the scores of complete rows. */
  readonly additive: (names: readonly string[]) => FollowedRows;
  /** Any other one. */
  readonly predictor: (name: string) => FittedPredictor;
}

/** A predictor, and how long it took to fit. */
export interface FittedPredictor {
  readonly predict: Predictor;
  readonly seconds: number;
}

/** Fits a method when it is first asked for. */
export function fittedMethods(setup: Setup): FittedMethods {
  const followed = remember((list) =>
    startFollowing(
      setup.dataset.test,
      list.split(",").map((name) => additiveOf(name).scores(setup)),
    ),
  );
  return {
    setup,
    additive: (names) => followed(names.join()),
    predictor: remember((name) => {
      const method = methodOf(name);
      if (isAdditive(method)) throw new Error("unreachable: additive methods are followed");
      const start = performance.now();
      return { predict: method.fit(setup), seconds: (performance.now() - start) / 1000 };
    }),
  };
}

function additiveOf(name: string): Extract<ReturnType<typeof methodOf>, { scores: unknown }> {
  const method = methodOf(name);
  if (isAdditive(method)) return method;
  throw new Error(`unreachable: ${name} is not additive`);
}

function remember<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
