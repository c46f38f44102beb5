import { describe, expect, it } from "vitest";
import { encode, inferSchema, type Row, type Schema } from "../../src/index.ts";
import { expectError } from "../support/error.ts";

const schema: Schema = {
  columns: [
    { name: "age", kind: "numeric" },
    { name: "smoker", kind: "binary" },
    { name: "city", kind: "categorical", values: ["Bonn", "Köln"] },
    { name: "income", kind: "binned", edges: [10, 20] },
  ],
};

describe("encode", () => {
  it("lays rows out as typed columns, with NaN or −1 for a gap", () => {
    const table = encode(schema, [
      { age: 40, smoker: 1, city: "Köln", income: 20 },
      { age: "40.5", smoker: false, city: "Bonn", income: 19.9 },
      { age: null, smoker: undefined, city: "", income: Number.NaN },
      {},
    ]);
    expect([...table.columns[0]]).toEqual([40, 40.5, Number.NaN, Number.NaN]);
    expect([...table.columns[1]]).toEqual([1, 0, -1, -1]);
    expect([...table.columns[2]]).toEqual([1, 0, -1, -1]);
    expect([...table.columns[3]]).toEqual([2, 1, -1, -1]);
  });

  it("gives the same table for rows, arrays, dictionaries and bits", () => {
    const rows: Row[] = [
      { age: 1, smoker: 0, city: "Köln" },
      { age: 2, smoker: null, city: null },
      { age: null, smoker: 1, city: "Bonn" },
    ];
    const fromRows = encode(schema, rows);
    const age = Float64Array.of(1, 2, Number.NaN);
    const arrays = encode(schema, { age, smoker: [0, null, 1], city: ["Köln", null, "Bonn"] });
    const dictionary = encode(schema, {
      age,
      smoker: Int8Array.of(0, -1, 1),
      city: { codes: Int32Array.of(0, -1, 1), values: ["Köln", "Bonn"] },
    });
    const bits = encode(schema, {
      age,
      smoker: Int8Array.of(0, -1, 1),
      city: { codes: [1, -1, 0], values: ["Bonn", "Köln"] },
    });
    for (const table of [arrays, dictionary, bits])
      expect(table.columns.map((c) => [...c])).toEqual(fromRows.columns.map((c) => [...c]));
    expect(arrays.columns[0]).toBe(age);
  });

  it("takes an unseen category for a gap, counts it and shows examples, or refuses it where strict", () => {
    const rows = [{ city: "Ulm" }, { city: "Ulm" }, { city: "Aachen" }, { city: "Bonn" }];
    expect(encode(schema, rows).unseen).toEqual([{ column: "city", count: 3, examples: ["Ulm", "Aachen"] }]);
    expect(
      encode(schema, { city: { codes: Int8Array.of(0, 0, 1), values: ["Ulm", "Bonn"] } }).unseen[0].count,
    ).toBe(2);
    expectError(() => encode(schema, rows, { strict: true }), "unknown-category", /"city", row 0: "Ulm"/);
  });

  it("finds columns by name when a table has another order and other codes", () => {
    const other: Schema = {
      columns: [
        { name: "city", kind: "categorical", values: ["Ulm", "Köln"] },
        { name: "age", kind: "numeric" },
      ],
    };
    const table = encode(
      schema,
      encode(other, [
        { city: "Köln", age: 3 },
        { city: "Ulm", age: 4 },
      ]),
    );
    expect([...table.columns[0]]).toEqual([3, 4]);
    expect([...table.columns[2]]).toEqual([1, -1]);
    expect(table.unseen).toEqual([{ column: "city", count: 1, examples: ["Ulm"] }]);
  });

  it("keeps the codes of a table whose columns did not change, binned ones too", () => {
    const table = encode(schema, [{ age: 40, smoker: 1, city: "Köln", income: 12 }]);
    const fewer = encode({ columns: schema.columns.slice(1).map((column) => ({ ...column })) }, table);
    expect(fewer.columns).toEqual(table.columns.slice(1));
    const numbers: Schema = { columns: [{ name: "smoker", kind: "numeric" }] };
    expect([...encode(numbers, encode(schema, [{ smoker: 1 }, {}])).columns[0]]).toEqual([1, Number.NaN]);
    const recut: Schema = { columns: [{ name: "income", kind: "binned", edges: [1] }] };
    expectError(
      () => encode(recut, table),
      "invalid-schema",
      /"income" is binned in the table and cannot be read as binned/,
    );
  });

  it("names column, row, need and value for what a column cannot hold", () => {
    expectError(
      () => encode(schema, [{ age: 1 }, { age: "old" }]),
      "invalid-value",
      /"age", row 1: must be a finite number or missing, got "old"/,
    );
    expectError(() => encode(schema, [{ age: Number.POSITIVE_INFINITY }]), "invalid-value", /got Infinity/);
    expectError(() => encode(schema, [{ age: true }]), "invalid-value", /got true/);
    expectError(
      () => encode(schema, [{ smoker: 2 }]),
      "invalid-value",
      /"smoker", row 0: must be 0 or 1 or missing, got 2/,
    );
    expectError(() => encode(schema, [{ income: "  " }]), "invalid-value", /"income"/);
    expectError(
      () => encode(schema, { smoker: Int8Array.of(0, 2) }),
      "invalid-value",
      /"smoker", row 1: must be 0, 1 or −1 \(missing\), got 2/,
    );
    expectError(
      () => encode(schema, { age: [1, 2], smoker: [1] }),
      "invalid-argument",
      /"age" has 2 rows, "smoker" has 1/,
    );
    expectError(() => encode(schema, 3 as never), "invalid-argument", /got 3/);
    expectError(() => encode(schema, [3 as never]), "invalid-argument", /row 0 must be an object/);
    expectError(
      () => encode(schema, [{ ages: 1 }], { extra: "error" }),
      "unknown-column",
      /"ages" is not a column of the model/,
    );
  });

  it("refuses an infinite number in a typed array, naming column and row", () => {
    for (const bad of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      for (const age of [Float64Array.of(1, bad), Float32Array.of(1, bad)]) {
        const error = expectError(
          () => encode(schema, { age }),
          "invalid-value",
          /"age", row 1: must be a finite number or missing, got -?Infinity/,
        );
        expect(error.details).toMatchObject({ column: "age", row: 1 });
      }
  });

  it("reads the numbers of any array as values, and codes only from a dictionary", () => {
    const digits: Schema = { columns: [{ name: "d", kind: "categorical", values: ["0", "1", "2"] }] };
    for (const type of [
      Int8Array,
      Uint8Array,
      Int16Array,
      Uint16Array,
      Int32Array,
      Uint32Array,
      Float32Array,
      Float64Array,
    ]) {
      const table = encode(digits, { d: type.of(2, 0, 7) });
      expect([...table.columns[0]]).toEqual([2, 0, -1]);
      expect(table.unseen).toEqual([{ column: "d", count: 1, examples: ["7"] }]);
    }
    const named: Schema = { columns: [{ name: "d", kind: "categorical", values: ["b", "a"] }] };
    expect([
      ...encode(named, { d: { codes: Int8Array.of(0, 1, -1), values: ["a", "b"] } }).columns[0],
    ]).toEqual([1, 0, -1]);
  });

  it("names the row of a code that is out of range, and of a text that is no number", () => {
    const values = ["1", "x"];
    for (const code of [2, -2, 0.5, Number.NaN])
      expectError(
        () => encode(schema, { city: { codes: [0, code], values } }),
        "invalid-value",
        /"city", row 1: a code must be −1 \(missing\) to 1, got/,
      );
    expectError(
      () => encode(schema, { age: { codes: Int8Array.of(0, 0, 1), values } }),
      "invalid-value",
      /"age", row 2: .* got "x"/,
    );
    expectError(() => inferSchema({ city: { codes: [7], values } }), "invalid-value", /"city", row 0/);
  });

  it("refuses what is no column, no row and no schema", () => {
    for (const source of [null, undefined, "abc", 5, new Map(), { codes: [1] }, { codes: 1, values: [] }])
      expectError(
        () => encode(schema, { age: source as never }),
        "invalid-argument",
        /"age" must be an array or \{ codes, values \}/,
      );
    // As the vectors of Apache Arrow are: they have a length, and values only for who calls them.
    const vector = { length: 2, get: () => 1, toArray: () => [1, 1] };
    const error = expectError(
      () => encode(schema, { age: vector as never }),
      "invalid-argument",
      /"age" must be an array or \{ codes, values \}, got an object with keys length, get, toArray/,
    );
    expect(error.details.hint).toBe("its toArray() gives an array");
    expect(encode(schema, { age: { length: 2, 0: 7, 1: 8 } }).columns[0]).toEqual(Float64Array.of(7, 8));
    expectError(
      () => encode(schema, [{ age: new Date(0) as never }]),
      "invalid-value",
      /an object of class Date/,
    );
    for (const row of [
      null,
      [1],
      new Map(),
      new Set(),
      new Date(),
      Promise.resolve({}),
      Float64Array.of(1),
      5,
      "x",
    ])
      expectError(
        () => encode(schema, [{}, row as never]),
        "invalid-argument",
        /row 1 must be an object of column names and values/,
      );
    const holes: Row[] = [{ age: 1 }];
    holes[2] = { age: 2 };
    expectError(() => encode(schema, holes), "invalid-argument", /row 1 must be an object .* got undefined/);
    expectError(
      () => encode({ columns: [{ name: "a", kind: "ordinal" as never }] }, []),
      "invalid-schema",
      /got "ordinal"/,
    );
    expectError(() => encode(null as never, []), "invalid-schema", /a schema needs/);
    const table = { schema, rows: 2, columns: [Float64Array.of(1)], unseen: [] };
    expectError(
      () => encode(schema, table),
      "invalid-argument",
      /a table must have one typed array of its 2 rows/,
    );
  });

  it("reads a table's columns as the kinds that are asked for", () => {
    const table = encode(schema, [
      { age: 3, smoker: 1, city: "Köln" },
      { age: 1.5, smoker: 0 },
    ]);
    const types = { age: "categorical", smoker: "numeric" } as const;
    const other = inferSchema(table, { columns: ["age", "smoker"], types });
    expect(other.columns).toEqual([
      { name: "age", kind: "categorical", values: ["1.5", "3"] },
      { name: "smoker", kind: "numeric" },
    ]);
    expect(encode(other, table).columns.map((cells) => [...cells])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expectError(
      () => inferSchema(table, { types: { income: "numeric" } }),
      "invalid-argument",
      /"income" is binned/,
    );
    expectError(
      () => inferSchema(table, { types: { nobody: "numeric" } }),
      "unknown-column",
      /options.types names "nobody"/,
    );
  });

  it("takes −2 for a number like any other", () => {
    expect([...encode(schema, [{ age: -2 }, { age: -1 }]).columns[0]]).toEqual([-2, -1]);
    expect([...encode(schema, { age: [-2, "-2"] }).columns[0]]).toEqual([-2, -2]);
  });

  it("reads only a row's own keys, so that a column may be called constructor", () => {
    const odd: Schema = {
      columns: [
        { name: "constructor", kind: "categorical", values: ["x"] },
        { name: "__proto__", kind: "numeric" },
      ],
    };
    const table = encode(odd, [{}, JSON.parse('{"constructor":"x","__proto__":4}')]);
    expect([...table.columns[0]]).toEqual([-1, 0]);
    expect([...table.columns[1]]).toEqual([Number.NaN, 4]);
  });
});

describe("inferSchema", () => {
  it("tells 0/1, numbers and text apart and keeps the values that occur", () => {
    const rows = [
      { bit: 0, number: 3.5, text: "b", truth: true, id: 7n },
      { bit: 1, number: null, text: "a", truth: false, id: 8n },
    ];
    expect(inferSchema(rows).columns).toEqual([
      { name: "bit", kind: "binary" },
      { name: "number", kind: "numeric" },
      { name: "text", kind: "categorical", values: ["a", "b"] },
      { name: "truth", kind: "categorical", values: ["false", "true"] },
      { name: "id", kind: "numeric" },
    ]);
  });

  it("orders categories that are numbers by number", () => {
    expect(inferSchema([{ n: 10 }, { n: 9 }, { n: 1 }], { types: { n: "categorical" } }).columns[0]).toEqual({
      name: "n",
      kind: "categorical",
      values: ["1", "9", "10"],
    });
  });

  it("refuses a column without any value and names that are not there", () => {
    expectError(() => inferSchema([{ a: 1, b: null }]), "empty-column", /"b" has no value in any row/);
    expectError(
      () => inferSchema([{ a: 1 }], { columns: ["b"] }),
      "unknown-column",
      /options.columns names "b".*only "a"/,
    );
    expectError(() => inferSchema([{ a: 1 }], { exclude: ["b"] }), "unknown-column", /options.exclude/);
    expectError(
      () => inferSchema([{ a: 1 }], { types: { b: "numeric" } }),
      "unknown-column",
      /options.types/,
    );
    expectError(() => inferSchema([{ when: new Date(0) as never }]), "invalid-value", /"when", row 0/);
  });
});
