import { type Column, ConformantError, encode } from "conformant";
import { pickRows } from "conformant/internal";
import { describe, expect, it } from "vitest";

const number = (name: string): Column => ({ name, kind: "numeric" });

describe("pickRows", () => {
  const table = encode({ columns: [{ name: "x", kind: "categorical", values: ["u", "v"] }, number("z")] }, [
    { x: "v", z: 1 },
    { x: "v", z: 2 },
  ]);

  it.each([2, -1, 0.5])("refuses row %s of a table of two rows", (place) => {
    expect(() => pickRows(table, [0, place] as unknown as Int32Array)).toThrow(ConformantError);
  });
});
