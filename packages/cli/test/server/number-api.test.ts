import {
  askNext,
  calibrate,
  conformMixture,
  explain,
  howSure,
  predict,
  predictColumns,
  predictionInterval,
  type RegressionModel,
  type Row,
  random,
  saveCalibration,
  saveModel,
  sensitivity,
  shapley,
  shiftMissing,
  surprise,
  trainRegressor,
} from "conformant";
import { afterAll, beforeAll, expect, test } from "vitest";
import { numberSchemas } from "../../src/server/response-schemas.ts";
import { conformant } from "../support/run.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const calibration = () => calibrate(model, houses(80, 2), { label: "price" });
let served: Served;
let model: RegressionModel;

function houses(rows: number, seed: number): Row[] {
  const g = random(seed);
  return Array.from({ length: rows }, () => {
    const size = 60 + 20 * g.normal();
    const city = g.uniform() < 0.5 ? "Bonn" : "Ulm";
    return {
      size,
      rooms: size / 25 + g.normal(),
      city,
      price: 3 * size + (city === "Bonn" ? 40 : 0) + g.normal(),
    };
  });
}

beforeAll(async () => {
  const rows = houses(200, 1);
  model = conformMixture(trainRegressor(rows, { label: "price" }), rows, { components: 1 });
  place.write("houses.json", saveModel(model));
  place.write("known.json", saveCalibration(calibration()));
  served = await startServe(["houses.json", "--calibration", "known.json", "--time-limit", "60"], { cwd });
});
afterAll(() => served?.stop());

const row = { rooms: 3, city: "Bonn" };
/** As JSON carries it. */
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const ask = async (path: string, body: object): Promise<unknown> => {
  const answered = await post(served.url + path, body);
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  return answered.body;
};

test("a row, a batch and lines are predicted as the library predicts them, to the last bit", async () => {
  const one = numberSchemas.prediction.parse(await ask("/predict", { row, sure: true }));
  expect(one).toEqual(
    json({ prediction: predict(model, row), certainty: howSure(model, row), surprise: surprise(model, row) }),
  );
  const rows: Row[] = [row, {}, { size: 70, price: 3, city: "Rome" }];
  const many = numberSchemas.predict.parse(await ask("/predict", { rows }));
  const { values, unseen } = predictColumns(model, rows);
  expect(many).toEqual(json({ predictions: Array.from(values, (prediction) => ({ prediction })), unseen }));
  const lines = await fetch(`${served.url}/predict`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: `${JSON.stringify(row)}\n{"isle":1}\n`,
  });
  const [first, second] = (await lines.text()).trim().split("\n");
  expect(JSON.parse(first)).toEqual({ prediction: predict(model, row) });
  expect(second).toContain("isle");
  const shift = { size: -0.5 };
  expect(await ask("/predict", { row, shift })).toEqual({
    prediction: predict(shiftMissing(model, shift), row),
  });
});

test("intervals of the outcome are the library's, for a row and for a batch", async () => {
  const outcomeOf = (own: Row): object => {
    const {
      unseen: _,
      value: __,
      ...outcome
    } = predictionInterval(model, calibration(), own, { coverage: 0.8 });
    return outcome;
  };
  const { outcome } = numberSchemas.prediction.parse(await ask("/predict", { row, set: 0.8 }));
  expect(outcome).toEqual(outcomeOf(row));
  const { predictions } = (await ask("/predict", { rows: [row, {}], set: 0.8 })) as {
    predictions: { outcome: object }[];
  };
  expect(predictions.map((own) => own.outcome)).toEqual([outcomeOf(row), outcomeOf({})]);
  const wide = numberSchemas.prediction.parse(await ask("/predict", { row, set: 0.999 }));
  expect(wide.outcome).toMatchObject({ lower: null, upper: null, enough: false });
});

test("explanations and questions are the library's", async () => {
  const options = { threshold: 200, avoid: ["rooms"] };
  const body = numberSchemas.explain.parse(
    await ask("/explain", {
      row,
      ...options,
      shapley: { game: "conditional" },
      sensitivity: { limit: 1 },
    }),
  );
  expect(body).toEqual(
    json({
      ...explain(model, row, options),
      shapley: shapley(model, row),
      sensitivity: sensitivity(model, row, { threshold: 200, limit: 1 }),
    }),
  );
  const costs = { size: 3 };
  expect(numberSchemas.ask.parse(await ask("/ask", { row: {}, costs }))).toEqual(
    json({ questions: askNext(model, {}, { costs }) }),
  );
});

test("the model, OpenAPI and metrics describe a number", async () => {
  const get = async (path: string): Promise<Response> => fetch(served.url + path);
  const summary = numberSchemas.model.parse(await (await get("/model")).json());
  expect(summary).toMatchObject({ output: "price", prior: predict(model, {}) });
  const { components } = (await (await get("/openapi.json")).json()) as {
    components: { schemas: Record<string, { properties: object }> };
  };
  expect(Object.keys(components.schemas.Prediction.properties)).toContain("outcome");
  expect(Object.keys(components.schemas.AskRequest.properties)).toEqual(["row", "strict", "costs", "shift"]);
  expect(Object.keys(components.schemas.ModelSummary.properties)).toContain("prior");
  expect(await (await get("/metrics")).text()).toMatch(/requests_total\{route="\/predict",status="200"\} \d/);
});

test("what only classes have is refused in one line", async () => {
  for (const [path, extra, name] of [
    ["/ask", { plan: {} }, "plan"],
    ["/ask", { tree: {} }, "tree"],
    ["/explain", { shapley: { class: "a" } }, "class"],
    ["/explain", { threshold: "high" }, "threshold"],
  ] as const) {
    const { status, body } = await post(served.url + path, { row, ...extra });
    expect(status).toBe(422);
    expect((body as { error: { message: string } }).error.message).toContain(name);
  }
  const shared = ["serve", "houses.json", "--calibration", "known.json", "--share-calibration"];
  expect(conformant(shared, { cwd }).stderr).toContain(
    '--share-calibration is for models of classes; this one predicts the number "price"',
  );
});
