/**
 * The part of an exported module that only models with a Gaussian block need: `model.block` has the positions of its
 * columns, `gaussian` of each component the mean and, row by row up to the diagonal, the covariance.
 */
export const GAUSSIAN_SOURCE = `
/**
 * What the known numbers of the block say under one component, whose Gaussian describes the block before any class: the
 * logarithm of their density, and mean and covariance of the hidden ones. Row by row, with lower the Cholesky factor L of
 * the known numbers' covariance, z = L⁻¹ (known - mean) and gain = L⁻¹ (covariance of known and hidden).
 */
function conditionBlock({ mean, covariance }, cells) {
  const known = model.block.flatMap((i, b) => (cells[i] === null ? [] : [b]));
  const hidden = model.block.flatMap((i, b) => (cells[i] === null ? [b] : []));
  const between = (a, b) => covariance[Math.max(a, b)][Math.min(a, b)];
  const [lower, z] = [[], []];
  const gain = hidden.map(() => []);
  let logDensity = 0;
  for (const a of known) {
    const row = [];
    for (const [j, b] of known.slice(0, z.length).entries()) row.push((between(a, b) - dot(row, lower[j])) / lower[j][j]);
    const deviation = Math.sqrt(between(a, a) - dot(row, row));
    gain.forEach((column, h) => column.push((between(a, hidden[h]) - dot(row, column)) / deviation));
    z.push((cells[model.block[a]] - mean[a] - dot(row, z)) / deviation);
    lower.push([...row, deviation]);
    logDensity -= z.at(-1) ** 2 / 2 + Math.log(deviation) + Math.log(2 * Math.PI) / 2;
  }
  return {
    logDensity,
    columns: hidden.map((b) => model.block[b]),
    mean: hidden.map((b, h) => mean[b] + dot(gain[h], z)),
    covariance: hidden.map((a, g) => hidden.map((b, h) => between(a, b) - dot(gain[g], gain[h]))),
  };
}

/** The sum of products, as far as the shorter list goes. */
function dot(a, b) {
  let sum = 0;
  for (let j = 0; j < Math.min(a.length, b.length); j++) sum += a[j] * b[j];
  return sum;
}

/** What the hidden numbers are worth to class k: log of the mean of exp(w·x), with w the weights of the class. */
function hiddenWorth({ columns, mean, covariance }, k) {
  const w = columns.map((i) => model.columns[i].weights[0][k]);
  return dot(w, mean) + dot(w, covariance.map((row) => dot(row, w))) / 2;
}

/** A hidden number given the row: one normal distribution for each component and class, weighted by joint. */
function describeNormal(joint, cells, i) {
  const normals = model.components.flatMap(({ gaussian }) => {
    const { columns, mean, covariance } = conditionBlock(gaussian, cells);
    const at = columns.indexOf(i);
    const deviation = Math.sqrt(Math.max(0, covariance[at][at]));
    return classes.map((_, k) => {
      const w = columns.map((c) => model.columns[c].weights[0][k]);
      return { mean: mean[at] + dot(covariance[at], w), deviation }; // the class moves the mean
    });
  });
  const [means, standardDeviations] = [normals.map(({ mean }) => mean), normals.map(({ deviation }) => deviation)];
  const mean = dot(joint, means);
  const variance = dot(joint, normals.map((normal) => normal.deviation ** 2 + (normal.mean - mean) ** 2));
  const density = { weights: joint, means, standardDeviations };
  return { kind: "numeric", mean, standardDeviation: Math.sqrt(variance), density };
}
`;
