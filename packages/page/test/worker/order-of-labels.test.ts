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

  it("which columns the page marks as sufficient", () => {
    const marked = (names: Names): unknown => reasons(names).sufficient;
    expect(marked(NUMBER_NAMES)).toEqual(renamed(marked(PLAIN_NAMES), NUMBER_NAMES));
  });

  it("the page's explanation", () => {
    expect(reasons(NUMBER_NAMES).explanation).toEqual(
      renamed(reasons(PLAIN_NAMES).explanation, NUMBER_NAMES),
    );
  });

  it("how sure the page is of each class", () => {
    const sure = (names: Names): unknown => {
      const model = namedModel(kind, names);
      return names.classes.map((name) => findCertainty(model, rowOf(names), name).range);
    };
    expect(sure(NUMBER_NAMES)).toEqual(renamed(sure(PLAIN_NAMES), NUMBER_NAMES));
  });
});
