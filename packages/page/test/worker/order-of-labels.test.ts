import type { Row } from "conformant";
import { describe, expect, it } from "vitest";
import {
  type Names,
  NUMBER_NAMES,
  namedModel,
  PLAIN_NAMES,
  renamed,
} from "../../../cli/test/support/named-models.ts";
import { findCertainty, findReasons, type Reasons } from "../../src/worker/answer.ts";

describe.each(["additive", "trees"] as const)("%s: names of classes and categories do not change", (kind) => {
  const rowOf = ({ categories }: Names): Row => ({ color: categories[1], bit: 1 });
  const reasons = (names: Names): Reasons => findReasons(namedModel(kind, names), rowOf(names));

  it("how the page shares the answer out among known columns", () => {
    expect(reasons(NUMBER_NAMES).shares).toEqual(renamed(reasons(PLAIN_NAMES).shares, NUMBER_NAMES));
  });

  it("the page's explanation", () => {
    expect(reasons(NUMBER_NAMES).explanation).toEqual(
      renamed(reasons(PLAIN_NAMES).explanation, NUMBER_NAMES),
    );
  });

  it("how sure the page is of each class", () => {
    const sure = (names: Names): unknown => {
      const probabilities = Object.fromEntries(names.classes.map((name, k) => [name, (3 - k) / 6]));
      return findCertainty(namedModel(kind, names), rowOf(names), probabilities).intervals;
    };
    expect(sure(NUMBER_NAMES)).toEqual(renamed(sure(PLAIN_NAMES), NUMBER_NAMES));
  });
});
