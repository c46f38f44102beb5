import { ConformantError, requireMade, show } from "../errors.ts";
import { binOf } from "../math/search.ts";
import type { ColumnMarginal, Marginals, NumericMarginal } from "../schema/marginals.ts";
import { quantileBins } from "../schema/quantile-bins.ts";

/**
 * The marginals of two parts of the data taken together: counts add. Numeric columns that are exact on both sides are
 * united value by value; bins must be the same on both sides (count the second part with `{ like: first }`), and exact
 * values fall into the other side's bins.
 */
export function mergeMarginals(a: Marginals, b: Marginals): Marginals {
  requireMade("marginals", a, "a");
  requireMade("marginals", b, "b");
  if (JSON.stringify(a.schema) !== JSON.stringify(b.schema)) {
    throw new ConformantError(
      "incompatible-marginals",
      "marginals can be merged only when they have the same schema",
      {
        argument: "b",
      },
    );
  }
  const columns = a.columns.map((left, i) => mergeColumn(a.schema.columns[i].name, left, b.columns[i]));
  return { schema: a.schema, rows: a.rows + b.rows, columns };
}

function mergeColumn(name: string, a: ColumnMarginal, b: ColumnMarginal): ColumnMarginal {
  if (a.kind === "discrete" || b.kind === "discrete") {
    return { kind: "discrete", counts: a.counts.map((count, j) => count + b.counts[j]) };
  }
  if (sameNumbers(a.edges, b.edges) && a.exact === b.exact) return sameAtoms(a, b);
  if (a.exact && b.exact) return unite(a, b);
  if (b.exact) return intoBins(a, b);
  if (a.exact) return intoBins(b, a);
  const message = `column ${show(name)} is cut into different bins on the two sides; count one part with { like: other }`;
  throw new ConformantError("incompatible-marginals", message, { column: name });
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((x, j) => x === b[j]);
}

function sameAtoms(a: NumericMarginal, b: NumericMarginal): NumericMarginal {
  if (a.exact && !sameNumbers(a.values, b.values)) return unite(a, b);
  const counts = a.counts.map((count, j) => count + b.counts[j]);
  return {
    ...a,
    values: a.values.map((value, j) => pooledMean(value, a.counts[j], b.values[j], b.counts[j])),
    counts,
  };
}

function unite(a: NumericMarginal, b: NumericMarginal): NumericMarginal {
  const tally = new Map<number, number>();
  for (const { values, counts } of [a, b]) {
    for (let j = 0; j < values.length; j++) tally.set(values[j], (tally.get(values[j]) ?? 0) + counts[j]);
  }
  const values = Float64Array.from(tally.keys()).sort();
  return quantileBins(
    values,
    values.map((v) => tally.get(v) ?? 0),
    values.length,
  );
}

function intoBins(bins: NumericMarginal, exact: NumericMarginal): NumericMarginal {
  const [values, counts] = [bins.values.slice(), bins.counts.slice()];
  exact.values.forEach((value, j) => {
    const bin = binOf(bins.edges, value);
    values[bin] = pooledMean(values[bin], counts[bin], value, exact.counts[j]);
    counts[bin] += exact.counts[j];
  });
  return { ...bins, values, counts };
}

function pooledMean(a: number, weightA: number, b: number, weightB: number): number {
  return a === b || weightA + weightB === 0 ? a : a + ((b - a) * weightB) / (weightA + weightB);
}
