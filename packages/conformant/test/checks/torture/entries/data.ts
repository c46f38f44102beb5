import { findCompleteRows, pickRows, valueCount, valueLabels } from "../../../../src/entries/internal.ts";
import {
  countMarginals,
  marginalsFromCounts,
  mergeMarginals,
  slotOffsets,
} from "../../../../src/entries/remote.ts";
import { sortLabels } from "../../../../src/entries/texts.ts";
import { ConformantError, encode, inferSchema, random } from "../../../../src/index.ts";
import { readCell } from "../truth.ts";
import { check, near } from "../world.ts";
import type { Entry } from "./entry.ts";

export const data = {
  ConformantError: () => {
    check(new ConformantError("aborted", "x").code === "aborted", "an error keeps its code");
  },
  encode: (world, { whole, flag }) => {
    const { schema } = world.classifier;
    const table = encode(schema, world.data(whole[0]), {
      strict: flag[0],
      extra: flag[1] ? "error" : "ignore",
    });
    check(table.rows === world.rows.length, "a table has as many rows as the data");
    const again = encode({ columns: schema.columns.map((column) => ({ ...column })) }, table);
    check(
      table.columns.every((cells, i) => cells.every((x, r) => Object.is(x, again.columns[i][r]))),
      "a table read again is the same",
    );
  },
  inferSchema: (world, { whole, flag }) => {
    const types = flag[0] ? { [world.problem.columns[0].name]: flag[1] ? "categorical" : "numeric" } : {};
    const { columns } = inferSchema(world.data(whole[0]), { types } as never);
    check(columns.length === world.problem.columns.length, "every column is inferred");
    encode({ columns }, world.data(whole[0]));
  },
  findCompleteRows: (world) => {
    for (const r of findCompleteRows(world.table))
      check(
        world.table.columns.every(
          (cells) => !(cells[r] < 0 && !(cells instanceof Float64Array)) && !Number.isNaN(cells[r]),
        ),
        `row ${r} is complete`,
      );
  },
  pickRows: (world) => {
    const order = Int32Array.from(world.rows.keys()).reverse();
    const picked = pickRows(world.table, order);
    check(
      Object.is(picked.columns[0][0], world.table.columns[0][order[0]]),
      "picked rows are in the given order",
    );
  },
  sortLabels: (world) => {
    const sorted = sortLabels(world.problem.cells.flat().map(String));
    check(new Set(sorted).size === sorted.length, "labels are distinct");
    check(sortLabels([...sorted].reverse()).join() === sorted.join(), "the order is one");
  },
  slotOffsets: ({ classifier }) => {
    const offsets = slotOffsets(classifier.schema);
    check(
      offsets[offsets.length - 1] * classifier.classes.length === classifier.weights.length,
      "slots × classes are the weights",
    );
  },
  valueCount: ({ problem }) => {
    for (const column of problem.columns)
      if (column.kind !== "numeric")
        check(valueCount(column) === valueLabels(column).length, "a label per value");
  },
  valueLabels: ({ problem }) => {
    for (const column of problem.columns)
      if (column.kind !== "numeric")
        check(
          new Set(valueLabels(column)).size === valueCount(column),
          `labels of ${column.name} are distinct`,
        );
  },
  random: (_, { whole }) => {
    const x = random(whole[0]).uniform();
    check(x >= 0 && x < 1 && x === random(whole[0]).uniform(), "the same seed, the same number");
  },
  countMarginals: (world, { whole, flag }) => {
    const { schema } = world.classifier;
    const options = { ...world.weights, strict: flag[0], ...(flag[1] && { bins: whole[1] }) };
    const { rows, columns } = countMarginals(schema, world.data(whole[0]), options);
    for (const { counts } of columns) {
      const sum = counts.reduce((total, count) => total + count, 0);
      check(
        sum <= rows * (1 + 1e-9) && counts.every((count) => count >= 0),
        `counts sum to ${sum} of ${rows}`,
      );
    }
    const weights = world.problem.rowWeights ?? world.rows.map(() => 1);
    columns.forEach(({ counts }, i) => {
      const column = schema.columns[i];
      if (column.kind !== "binary" && column.kind !== "categorical") return;
      counts.forEach((count, v) => {
        const own = world.rows.reduce(
          (sum, row, r) => (readCell(column, row) === v ? sum + weights[r] : sum),
          0,
        );
        check(near(count, own, own), `${column.name} has value ${v} ${own} times, counted ${count}`);
      });
    });
  },
  marginalsFromCounts: (world) => {
    const { schema } = world.classifier;
    const weights = world.problem.rowWeights ?? world.rows.map(() => 1);
    const columns = Object.fromEntries(
      schema.columns.map(({ name }, i) => [
        name,
        world.problem.cells.map((row, r) => [row[i], weights[r]] as const),
      ]),
    );
    const given = marginalsFromCounts(schema, { rows: weights.reduce((sum, w) => sum + w, 0), columns });
    const counted = countMarginals(schema, world.rows, { weights });
    given.columns.forEach(({ counts }, i) => {
      const [a, b] = [counts, counted.columns[i].counts].map((all) =>
        all.reduce((sum, count) => sum + count, 0),
      );
      check(near(a, b, b), `column ${i} counts ${a}, not ${b}`);
    });
  },
  mergeMarginals: (world, { flag }) => {
    const { schema } = world.classifier;
    const half = Math.floor(world.rows.length / 2);
    const first = countMarginals(schema, world.rows.slice(0, half));
    const rest = countMarginals(schema, world.rows.slice(half), flag[0] ? { like: first } : {});
    check(mergeMarginals(first, rest).rows === world.rows.length, "rows add up");
  },
} satisfies Record<string, Entry>;
