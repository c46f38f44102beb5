import { addColumns, mixtureShape } from "../../../../src/entries/internal.ts";
import { loadModel as loadSmallModel } from "../../../../src/entries/predict.ts";
import { classTilt, conformChunks, conformRemote, startMixture } from "../../../../src/entries/remote.ts";
import { manyRows } from "../../../../src/gaussian/many-rows.ts";
import {
  conform,
  conformMixture,
  createModel,
  loadModel,
  type Model,
  predict,
  saveModel,
} from "../../../../src/index.ts";
import { expectation } from "../../../../src/mixture/e-step.ts";
import { splitRows } from "../../../../src/mixture/packed-rows.ts";
import { readWeightedRows } from "../../../../src/schema/rows.ts";
import type { Knobs } from "../problem.ts";
import { logSum, readCell } from "../truth.ts";
import { check, checkProbabilities, near, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** What must hold of every model: weights, distributions and priors sum to 1, the certificate is made of numbers. */
function checkModel({ components, atoms, certificate, tilt }: Model): void {
  checkProbabilities(
    components.map(({ logWeight }) => Math.exp(logWeight)),
    "weights of components",
  );
  for (const { logQ, logPrior, gaussian } of components) {
    checkProbabilities(logPrior.map(Math.exp), "P(k)");
    atoms.columns.forEach(({ count }, i) => {
      checkProbabilities(
        logQ.subarray(atoms.offsets[i], atoms.offsets[i] + count).map(Math.exp),
        `q of column ${i}`,
      );
    });
    if (gaussian)
      check([...gaussian.mean, ...gaussian.covariance].every(Number.isFinite), "moments are numbers");
  }
  const { status, marginalMismatch, conformityError, iterations } = certificate;
  check(["converged", "iteration-limit", "stalled", "given"].includes(status), `status ${status}`);
  check(marginalMismatch >= 0 && iterations >= 0, `mismatch ${marginalMismatch} after ${iterations}`);
  const scale = Math.max(...tilt.weights.map(Math.abs)) * largestNumber(atoms);
  if (scale < 1e3 && !components.some(({ gaussian }) => gaussian))
    check(conformityError < 1e-6, `conformity error ${conformityError}`);
}

/**
 * Fails where a fit that is said to have converged does not solve its equations. In u = log q, with c pseudo-counts, N rows of
 * which N_i have column i, and V_i values,
 *
 *     T Σ_k p_k a_kiv + d_i Σ_k a_kiv = m_iv,     a_kiv = P(x_i = v | k)
 *     T = 1 + Kc/N,   m_iv = f_i(v) + Kc/N_i,   d_i = c V_i/N_i − c/N
 */
function checkStationary(world: World, model: Model, c: number, tolerance: number): void {
  const { atoms, schema, response } = model;
  const { intercept, weights } = model.tilt;
  const K = response.outputs.length;
  const rowWeights = world.problem.rowWeights ?? world.rows.map(() => 1);
  const N = rowWeights.reduce((sum, w) => sum + w, 0);
  if (world.blur > 1 || !(N > 1e-6 && N < 1e6)) return;
  const logQ = model.components[0].logQ;
  let slot = 0;
  const parts = schema.columns.map((column, i) => {
    const own = slot;
    slot += column.kind === "categorical" || column.kind === "binned" ? atoms.columns[i].count : 1;
    const { count, values } = atoms.columns[i];
    const linear = column.kind === "numeric" || column.kind === "binary";
    const logs = response.outputs.map((_, k) =>
      Array.from({ length: count }, (_, v) => {
        const score = linear ? weights[own * K + k] * (values?.[v] ?? v) : weights[(own + v) * K + k];
        return logQ[atoms.offsets[i] + v] + score;
      }),
    );
    const logZ = logs.map(logSum);
    return { logZ, a: logs.map((all, k) => all.map((x) => Math.exp(x - logZ[k]))) };
  });
  const logP = Array.from(intercept, (b, k) => b + parts.reduce((sum, { logZ }) => sum + logZ[k], 0));
  const all = logSum(logP);
  const p = logP.map((x) => Math.exp(x - all));
  schema.columns.forEach((column, i) => {
    const { count, edges } = atoms.columns[i];
    const cuts = column.kind === "binned" ? column.edges : edges;
    const seen = new Array<number>(count).fill(0);
    world.rows.forEach((row, r) => {
      const x = readCell(column, row);
      if (x !== undefined)
        seen[cuts ? Array.from(cuts).filter((edge) => edge <= x).length : x] += rowWeights[r];
    });
    const Ni = seen.reduce((sum, x) => sum + x, 0);
    if (!(Ni > 1e-6)) return;
    const [T, d] = [1 + (K * c) / N, (c * count) / Ni - c / N];
    seen.forEach((own, v) => {
      const model = p.reduce((sum, share, k) => sum + (T * share + d) * parts[i].a[k][v], 0);
      const data = own / Ni + (K * c) / Ni;
      check(
        Math.abs(model - data) <= (10 * tolerance + 1e-8) * Math.max(1, T, Math.abs(d)),
        `converged, but ${column.name} has ${model} of value ${v}, the data ${data}`,
      );
    });
  });
}

/** Fails where the objective of EM falls, beyond rounding. */
function checkRising({ certificate }: Model): void {
  const objective = certificate.mixture?.objective ?? [];
  objective.forEach((value, step) => {
    const before = objective[step - 1] ?? Number.NEGATIVE_INFINITY;
    check(value >= before - 1e-7 * (1 + Math.abs(value)), `the objective falls from ${before} to ${value}`);
  });
}

function largestNumber({ columns }: Model["atoms"]): number {
  return Math.max(1, ...columns.flatMap(({ values }) => Array.from(values ?? [], Math.abs)));
}

function mixtureOptions({ whole, real, flag, share }: Knobs, world: World) {
  return {
    ...(flag[0] && { components: 1 + (whole[0] % 5) }),
    ...(flag[1] && { numeric: (["atoms", "gaussian", "auto"] as const)[whole[1] % 3] }),
    ...(flag[2] && { pseudocount: Math.abs(real[0]) }),
    ...(flag[3] && { shrinkage: Math.abs(real[1]) }),
    ...(flag[4] && { ridge: share[0] }),
    ...(flag[5] && { tolerance: share[1] }),
    ...(flag[6] && { maxIterations: whole[2], restarts: 1 + (whole[3] % 2) }),
    ...(flag[7] && { most: whole[3], bins: whole[1] }),
    ...world.weights,
  };
}

export const fits = {
  conform: (world, { whole, real, flag }) => {
    const tolerance = flag[1] ? Math.abs(real[1]) : 1e-11;
    const model = conform(world.classifier, world.data(whole[0]), {
      ...(flag[5] && { also: "all" }),
      ...(flag[0] && { pseudocount: Math.abs(real[0]) }),
      tolerance,
      ...(flag[2] && { maxIterations: whole[1] }),
      ...(flag[3] && { bins: whole[2] }),
      ...(flag[4] && { strict: true }),
      ...world.weights,
    });
    checkModel(model);
    if (model.certificate.status !== "converged") return;
    check(
      model.certificate.marginalMismatch <= tolerance,
      `converged with ${model.certificate.marginalMismatch}`,
    );
    checkStationary(world, model, flag[0] ? Math.abs(real[0]) : 1, tolerance);
  },
  conformMixture: (world, knobs) => {
    const model = conformMixture(world.classifier, world.data(knobs.whole[0]), mixtureOptions(knobs, world));
    checkModel(model);
    check(
      (model.certificate.mixture?.objective ?? []).every(Number.isFinite),
      `objective ${model.certificate.mixture?.objective}`,
    );
    // Without a component the prior is another, and the objective with it.
    if (world.blur <= 1 && model.certificate.mixture?.dropped === 0) checkRising(model);
  },
  conformChunks: async (world, knobs) => {
    const { weights, ...options } = mixtureOptions(knobs, world);
    const half = Math.floor(world.rows.length / 2);
    const chunks = () => [
      { data: world.rows.slice(0, half), ...(weights && { weights: weights.slice(0, half) }) },
      { data: world.rows.slice(half), ...(weights && { weights: weights.slice(half) }) },
    ];
    checkModel(await conformChunks(world.classifier, chunks, { ...options, maxPasses: 1 + knobs.whole[2] }));
  },
  classTilt: (world) => {
    const { intercept, weights } = classTilt(world.classifier);
    const { classifier } = world;
    check(
      intercept.every((b, k) => b === classifier.intercept[k]),
      "the intercept is the classifier's",
    );
    check(
      weights.every((w, j) => w === classifier.weights[j]),
      "the weights are the classifier's",
    );
  },
  createModel: (world, { real, flag }) => {
    const { classifier, model, row } = world;
    const intercept = classifier.intercept.map((b, k) =>
      flag[0] && k === 0 ? b + 1 + Math.abs(real[0]) : b,
    );
    const made = createModel({ ...classifier, intercept }, model);
    check(
      intercept.every((b, k) => b === classifier.intercept[k]),
      "a distribution that carries other scores is refused",
    );
    const [own, again] = [model, made].map((one) => Object.values(predict(one, row)));
    check(
      own.every((p, k) => Object.is(p, again[k])),
      `joined again it predicts ${again}, not ${own}`,
    );
  },
  addColumns: (world, { whole }) => {
    const name = `beside ${whole[0]}`;
    const { classifier, row } = world;
    const wide = addColumns(classifier, [{ name, kind: "binary" }]);
    const rows = world.rows.map((cells, r) => ({ ...cells, [name]: r % 2 }));
    const [own, wider] = [classifier, wide].map((one) =>
      Object.values(predict(conform(one, rows), row, { extra: "ignore" })),
    );
    check(
      own.every((p, k) => near(p, wider[k], world.blur)),
      `with a column that has no weight it predicts ${wider}, not ${own}`,
    );
  },
  startMixture: (world, knobs) => {
    const start = startMixture(
      world.classifier,
      world.rows,
      Math.abs(knobs.real[3]),
      mixtureOptions(knobs, world),
    );
    check(
      start.counts.every((counts) => counts.every((count) => count >= 0)),
      "counts are not negative",
    );
  },
  conformRemote: async (world, knobs) => {
    const { weights, ...options } = mixtureOptions(knobs, world);
    const all = readWeightedRows(world.classifier.schema, world.rows, { weights });
    const total = all.weights.reduce((sum, w) => sum + w, 0);
    const start = startMixture(world.classifier, world.rows, total, {
      ...options,
      ...(weights && { weights }),
      maxPasses: 1 + knobs.whole[2],
    });
    const { intercept } = world.classifier;
    const model = await conformRemote(world.classifier, start, (components, atoms, frame) =>
      expectation(
        atoms,
        intercept,
        components,
        splitRows(all, atoms, intercept, { frame }, manyRows),
        manyRows,
      ),
    );
    checkModel(model);
  },
  mixtureShape: (world) => {
    const { components } = mixtureShape(world.model);
    check(components === world.model.components.length, "the shape has the size of the model");
  },
  saveModel: (world) => {
    const text = saveModel(world.model);
    check(
      !/NaN|Infinity/.test(text) &&
        !/"(decrement|marginalMismatch|conformityError|momentMismatch)":null/.test(text),
      `a model file with holes: ${/"certificate".*/.exec(text)?.[0]}`,
    );
  },
  loadSmallModel: (world) => {
    const text = saveModel(world.model);
    check(
      saveModel(loadSmallModel(text)) === text,
      "read by a small page and written again a model is another",
    );
  },
  loadModel: (world, { flag, whole }) => {
    const text = saveModel(world.model);
    if (flag[0]) {
      const cut = Math.min(whole[0] * 20, text.length - 2);
      loadModel(flag[1] ? text.slice(0, cut) : text.replace(/[0-9]/, "x"));
      check(false, "a broken file is refused");
    }
    const copy = loadModel(text);
    const [ours, theirs] = [copy, world.model].map((model) => Object.values(predict(model, world.row)));
    check(
      ours.every((p, k) => near(p, theirs[k], world.blur)),
      `read back it predicts ${ours}, not ${theirs}`,
    );
  },
} satisfies Record<string, Entry>;
