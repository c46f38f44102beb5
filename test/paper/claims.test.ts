import { random } from "conformant";
import { describe, expect, it } from "vitest";
import { allRows, countModels, randomFormula, satisfies } from "../../paper/claims/binary.ts";
import { CLAIMS } from "../../paper/claims/claims.ts";

describe("a claim of the paper", () => {
  it.each(CLAIMS.map((claim) => [claim.title, claim] as const))("holds: %s", (_, { look }) => {
    const { holds, found } = look();
    expect(found.join("\n")).not.toMatch(/NaN|undefined/);
    expect(holds).toBe(true);
  });

  it("is counted right: solutions of a formula by branching are those found one by one", () => {
    const formula = randomFormula(7, 14, random(9));
    const oneByOne = allRows(7).filter((bits) => satisfies(bits, formula)).length;
    expect(countModels(formula, 7)).toBe(oneByOne);
  });
});
