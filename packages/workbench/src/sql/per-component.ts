import { type Stage, substituteNames } from "./stages.ts";

/** A computation in stages that differs between components only in its constants. */
export interface PerComponent {
  /** Names, and their numbers in each component. */
  readonly constants: readonly (readonly [name: string, numbers: readonly number[]])[];
  /** Expressions over these names, earlier ones, and what all components share. */
  readonly stages: readonly Stage[];
  /** The names of the results. */
  readonly results: readonly string[];
}

/** Its results, once the stages are computed. */
export interface ComponentResults {
  readonly stages: readonly Stage[];
  /** A result of a component, by its position in the list of results. */
  readonly result: (position: number, m: number) => string;
}

/** The most names in one stage: a SELECT has 1,664 columns in PostgreSQL and 2,000 in SQLite, and others are carried along. */
const MOST_NAMES = 1000;

/**
 * {@link PerComponent} for engines without functions on lists: every component has its own names. Where these are too many for one SELECT,
 * components are computed in groups.
 */
export function writeOutComponents(
  { constants, stages, results }: PerComponent,
  number: (x: number) => string,
): ComponentResults {
  const components = constants[0][1].length;
  const own = (name: string, m: number): string => `${name}m${m}_`;
  const together = Math.max(1, Math.floor(MOST_NAMES / Math.max(...stages.map((stage) => stage.length))));
  const groups = Array.from({ length: Math.ceil(components / together) }, (_, g) =>
    Array.from({ length: Math.min(together, components - g * together) }, (_, c) => g * together + c),
  );
  const write = stages.flat().map(([name]) => name);
  const written = (m: number): ReadonlyMap<string, string> =>
    new Map([
      ...write.map((name) => [name, own(name, m)] as const),
      ...constants.map(([name, numbers]) => [name, number(numbers[m])] as const),
    ]);
  return {
    stages: groups.flatMap((group) => {
      const names = group.map(written);
      return stages.map((stage) =>
        group.flatMap((m, c) =>
          stage.map(([name, expression]): Stage[number] => [
            own(name, m),
            substituteNames(expression, names[c]),
          ]),
        ),
      );
    }),
    result: (position, m) => own(results[position], m),
  };
}
