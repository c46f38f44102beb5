import { describe, expect, it } from "vitest";
import { conform, encode, inferSchema, predict, predictColumns, train } from "../../src/index.ts";
import { expectError } from "../support/error.ts";

/** An interface has no index signature. */
interface Person {
  readonly age: number | null;
  readonly smokes: boolean;
  readonly ill: string;
}

const people: readonly Person[] = Array.from({ length: 40 }, (_, r) => ({
  age: r % 5 === 0 ? null : 20 + r,
  smokes: r % 3 === 0,
  ill: (r % 3 === 0) === r % 7 > 1 ? "yes" : "no",
}));

describe("rows", () => {
  it("may be of an interface, a class, or any object", () => {
    class Patient {
      readonly age: number;
      constructor(age: number) {
        this.age = age;
      }
    }
    const schema = inferSchema(people, { exclude: ["ill"] });
    expect(encode(schema, [new Patient(31)]).columns[0][0]).toBe(31);
    expect(train(people, { label: "ill" }).classes).toEqual(["no", "yes"]);
  });

  it("take 1 and 0 for true and false in a column of truth values, however they come", () => {
    const model = conform(train(people, { label: "ill", columns: ["smokes"] }), people);
    const answer = predict(model, { smokes: true });
    expect(answer.yes).not.toBeCloseTo(predict(model, {}).yes, 3);
    for (const smokes of [1, 1n, "1", "true", "True", "1.0", true])
      expect(predict(model, { smokes }), String(smokes)).toEqual(answer);
    for (const smokes of [0, "0", "FALSE"])
      expect(predict(model, { smokes })).toEqual(predict(model, { smokes: false }));
    const bits = { columns: [{ name: "a", kind: "categorical", values: ["1", "0"] }] } as const;
    expect([...encode(bits, { a: [true, false, "true", 1, null] }).columns[0]]).toEqual([0, 1, 0, 0, -1]);
  });

  it("report what they do not know as unseen, and do not take 1 for true among other categories", () => {
    const schema = {
      columns: [{ name: "a", kind: "categorical", values: ["false", "true", "maybe"] }],
    } as const;
    const { columns, unseen } = encode(schema, { a: [1, 2, "true", "maybee"] });
    expect([...columns[0]]).toEqual([-1, -1, 1, -1]);
    expect(unseen).toEqual([{ column: "a", count: 3, examples: ["1", "2", "maybee"] }]);
    expectError(
      () => encode(schema, { a: ["maybee"] }, { strict: true }),
      "unknown-category",
      /it has "false", "true", "maybe"; did you mean "maybe"\?$/,
    );
  });
});

/** A column as Arrow has it: not an array, nullable, with its own array of numbers. */
class Vector {
  readonly #values: readonly unknown[];
  constructor(values: readonly unknown[]) {
    this.#values = values;
  }
  get length(): number {
    return this.#values.length;
  }
  get nullCount(): number {
    return this.#values.filter((value) => value === null).length;
  }
  get(row: number): unknown {
    return this.#values[row];
  }
  toArray(): unknown {
    const isNumeric = this.#values.every((value) => typeof value === "number" || value === null);
    return isNumeric ? Float64Array.from(this.#values as number[], (value) => value ?? 0) : this.#values;
  }
  [Symbol.iterator](): Iterator<unknown> {
    return this.#values[Symbol.iterator]();
  }
}

describe("a table of another library", () => {
  const names = ["age", "smokes", "ill"] as const;
  const vectors = new Map<string, Vector>(
    names.map((name) => [name, new Vector(people.map((row) => row[name]))]),
  );
  const getChild = (name: string): Vector | null => vectors.get(name) ?? null;
  const arrow = {
    schema: { fields: names.map((name) => ({ name })) },
    numRows: people.length,
    getChild,
    *[Symbol.iterator]() {
      yield* people;
    },
  };
  const arquero = { columnNames: () => [...names], getChild };

  it.each([
    ["Arrow", arrow],
    ["Arquero", arquero],
  ])("of %s gives the same schema, model and answers as its rows", (_, table) => {
    expect(inferSchema(table)).toEqual(inferSchema(people));
    const classifier = train(table, { label: "ill" });
    expect(classifier).toEqual(train(people, { label: "ill" }));
    const model = conform(classifier, table);
    expect(model).toEqual(conform(classifier, people));
    expect(predictColumns(model, table).probabilities).toEqual(predictColumns(model, people).probabilities);
  });

  it("is named where it has no names or a column that cannot be read", () => {
    expectError(() => inferSchema({ getChild }), "invalid-argument", /schema\.fields or columnNames\(\)/);
    const odd = { columnNames: () => ["a"], getChild: () => 5 };
    expectError(() => inferSchema(odd), "invalid-argument", /^column "a" must be iterable, got 5$/);
  });
});
