import {
  askNext,
  askPlan,
  askTree,
  explain,
  explainInWords,
  howSure,
  loadModel,
  type Model,
  predict,
  predictColumns,
  sensitivity,
  sensitivityInWords,
  shapley,
  shiftMissing,
  surprise,
} from "conformant";
import { afterAll, beforeAll, expect, test } from "vitest";
import { responseSchemas } from "../../src/server/response-schemas.ts";
import { writePenguins } from "../support/fitted-penguins.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
let served: Served;
let model: Model;

beforeAll(async () => {
  model = writePenguins(place, "penguins.json");
  served = await startServe(["penguins.json"], { cwd });
});
afterAll(() => served?.stop());

const row = { island: "biscoe", bill_depth: 16, flipper_length: null, sex: "female" };
/** As JSON carries it. */
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("a row is predicted as the library predicts it, to the last bit", async () => {
  const { status, body } = await post(`${served.url}/predict`, { row });
  expect(status).toBe(200);
  expect(responseSchemas.prediction.parse(body).probabilities).toEqual(predict(model, row));
});

test("a batch is predicted row by row", async () => {
  const rows = [row, {}, { bill_length: 43, species: "adelie" }];
  const { body } = await post(`${served.url}/predict`, { rows });
  const { predictions } = body as { predictions: { probabilities: Record<string, number> }[] };
  // As the library predicts the batch; a row by itself may differ in the last bits.
  const own = predictions.flatMap(({ probabilities }) => Object.values(probabilities));
  expect(own).toEqual([...predictColumns(model, rows).probabilities]);
  const alone = rows.flatMap((one) => Object.values(predict(model, one)));
  expect(Math.max(...own.map((p, j) => Math.abs(p - alone[j])))).toBeLessThan(1e-12);
});

test("a large batch is answered by a thread, with the same numbers", async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => ({ bill_length: 32 + (i % 28), island: "dream" }));
  const { body } = await post(`${served.url}/predict`, { rows });
  const { predictions } = responseSchemas.predict.parse(body) as { predictions: { probabilities: object }[] };
  expect(predictions).toHaveLength(3000);
  expect(predictions[2999].probabilities).toEqual(predict(model, rows[2999]));
});

test("JSON lines are answered line by line, and a bad line does not end the stream", async () => {
  const response = await fetch(`${served.url}/predict`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: `${JSON.stringify(row)}\nnot json\n\n{"island":7}\n{"isle":"dream"}\n{}`,
  });
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  const lines = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(5);
  expect(lines[0].probabilities).toEqual(predict(model, row));
  expect(lines[1].error.code).toBe("invalid-json");
  expect(lines[2].unseen[0]).toMatchObject({ column: "island", examples: ["7"] });
  expect(lines[3].error.message).toContain("isle");
  expect(lines[4].probabilities).toEqual(predict(model, {}));
});

test("the first lines of a stream are answered before the last ones are sent", async () => {
  let more: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      more = (text) =>
        text === "" ? controller.close() : controller.enqueue(new TextEncoder().encode(text));
    },
  });
  more('{"island":"dream"}\n');
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body,
    duplex: "half",
  };
  const response = await fetch(`${served.url}/predict`, request);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const first = decoder.decode((await reader?.read())?.value);
  expect(JSON.parse(first).probabilities).toEqual(predict(model, { island: "dream" }));
  more('{"isl');
  more('and":"biscoe"}');
  more("");
  let rest = "";
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
    rest += decoder.decode(piece.value);
  expect(JSON.parse(rest).probabilities).toEqual(predict(model, { island: "biscoe" }));
});

test("explanations are the library's", async () => {
  const options = { avoid: ["bill_depth"], threshold: 0.3 };
  const { body } = await post(`${served.url}/explain`, { row, ...options });
  const explanation = explain(model, row, options);
  expect(responseSchemas.explain.parse(body)).toEqual(
    json({ ...explanation, words: explainInWords(explanation) }),
  );
});

test("questions and plans are the library's", async () => {
  const costs = { bill_length: 3 };
  const { body } = await post(`${served.url}/ask`, { row, costs, plan: { threshold: 0.8 } });
  expect(responseSchemas.ask.parse(body)).toEqual(
    json({
      questions: askNext(model, row, { costs }),
      plan: askPlan(model, row, { costs, threshold: 0.8 }),
    }),
  );
});

test("what if gaps are not at random: every question is answered as the library answers it of the shifted model", async () => {
  const shift = { flipper_length: -0.5, sex: { male: 1 } };
  const known = { island: "biscoe", bill_depth: 16 };
  const other = shiftMissing(model, shift);
  const one = await post(`${served.url}/predict`, { row: known, shift });
  expect(responseSchemas.prediction.parse(one.body).probabilities).toEqual(predict(other, known));
  const many = await post(`${served.url}/predict`, { rows: [known], shift });
  expect(many.body).toMatchObject({ predictions: [{ probabilities: predict(other, known) }] });
  const asked = await post(`${served.url}/ask`, { row: known, shift });
  expect(responseSchemas.ask.parse(asked.body).questions).toEqual(json(askNext(other, known)));
  const found = sensitivity(model, known, { limit: 2 });
  const { body } = await post(`${served.url}/explain`, { row: known, sensitivity: { limit: 2 } });
  expect(responseSchemas.explain.parse(body).sensitivity).toEqual(
    json({ ...found, words: sensitivityInWords(found) }),
  );
});

test("shifts of what is no column, no value or no tilt are refused", async () => {
  for (const shift of [
    { wing: 1 },
    { island: 1 },
    { sex: { mael: 1 } },
    { bill_depth: 1e9 },
    { bill_depth: "low" },
  ]) {
    const { status } = await post(`${served.url}/predict`, { row: {}, shift });
    expect(status, JSON.stringify(shift)).toBe(422);
  }
  const { status, body } = await post(`${served.url}/predict`, {
    row: {},
    shift: { bill_depth: 1 },
    set: 0.9,
  });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    error: { message: expect.stringContaining("set cannot be combined with shift") },
  });
});

test("Shapley values, questionnaires and a look ahead are the library's", async () => {
  const { body } = await post(`${served.url}/explain`, {
    row,
    shapley: { class: "adelie", scale: "logOdds" },
  });
  expect(responseSchemas.explain.parse(body).shapley).toEqual(
    json(shapley(model, row, { class: "adelie", scale: "logOdds" })),
  );
  const tree = { depth: 2, threshold: 0.9 };
  const asked = await post(`${served.url}/ask`, { row, lookAhead: true, tree });
  expect(responseSchemas.ask.parse(asked.body)).toEqual(
    json({ questions: askNext(model, row, { lookAhead: true }), tree: askTree(model, row, tree) }),
  );
  // The least that may be asked for.
  const least = await post(`${served.url}/ask`, { row, plan: { most: 1 }, tree: { depth: 1 } });
  expect(least.body).toMatchObject({ tree: json(askTree(model, row, { depth: 1 })) });
});

test("groups of columns are one question each", async () => {
  const groups = { bill: ["bill_length", "bill_depth"] };
  const { body } = await post(`${served.url}/ask`, { row: {}, groups });
  expect(responseSchemas.ask.parse(body)).toEqual(json({ questions: askNext(model, {}, { groups }) }));
  const { status } = await post(`${served.url}/ask`, { row: {}, groups, lookAhead: true });
  expect(status).toBe(422);
});

test("certainty is given where it is asked for", async () => {
  const { body } = await post(`${served.url}/predict`, { row, sure: true });
  expect(responseSchemas.prediction.parse(body)).toMatchObject(
    json({ certainty: howSure(model, row), surprise: surprise(model, row) }) as object,
  );
});

test("a category that the model does not know is unknown and reported, or an error where asked for", async () => {
  const unseen = { island: "atlantis" };
  const { body } = await post(`${served.url}/predict`, { row: unseen });
  expect(body).toMatchObject({ probabilities: predict(model, {}), unseen: [{ column: "island", count: 1 }] });
  const strict = await post(`${served.url}/predict`, { row: unseen, strict: true });
  expect([strict.status, (strict.body as { error: { code: string } }).error.code]).toEqual([
    422,
    "unknown-category",
  ]);
});

test("columns in the wrong place and misspelt ones are named, with what there is", async () => {
  for (const [request, words] of [
    [{ island: "dream" }, 'the body: "island" belongs into a row, as in {"row": {"island": …}}'],
    [{ row: {}, sett: 1 }, 'the body: there is no "sett" in a request; there may be "row", "strict"'],
    [{ rows: [{ isle: 1 }] }, 'rows.0: "isle" is not a column of the model; it has "island", "bill_length"'],
  ] as const) {
    const { status, body } = await post(`${served.url}/predict`, request);
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { message: expect.stringContaining(words) } });
  }
});

test("the model and the health can be read", async () => {
  const summary = responseSchemas.model.parse(await (await fetch(`${served.url}/model`)).json());
  expect(summary.columns.map(({ name }) => name)).toEqual(model.schema.columns.map(({ name }) => name));
  expect(summary.classes.map(({ prior }) => prior)).toEqual(Object.values(predict(model, {})));
  // 172 to 231 in the training data; a Gaussian describes it.
  const [low, high] = summary.columns.find(({ name }) => name === "flipper_length")?.range ?? [];
  expect(model.certificate.gaussian?.columns).toContain("flipper_length");
  expect(low).toBeGreaterThan(165);
  expect(low).toBeLessThan(177);
  expect(high).toBeGreaterThan(226);
  expect(high).toBeLessThan(243);
  responseSchemas.health.parse(await (await fetch(`${served.url}/health`)).json());
  expect(loadModel(await (await fetch(`${served.url}/model.json`)).text()).rows).toBe(model.rows);
});

test("the OpenAPI description names every column, has no loose ends, and is version 3.1", async () => {
  const text = await (await fetch(`${served.url}/openapi.json`)).text();
  const description = JSON.parse(text) as {
    openapi: string;
    paths: object;
    components: { schemas: Record<string, { properties?: object; additionalProperties?: unknown }> };
  };
  expect(description.openapi).toBe("3.1.0");
  expect(Object.keys(description.paths)).toEqual([
    "/predict",
    "/explain",
    "/ask",
    "/model",
    "/health",
    "/ready",
    "/metrics",
  ]);
  const { Row } = description.components.schemas;
  expect(Object.keys(Row.properties ?? {}).sort()).toEqual(
    ["species", ...model.schema.columns.map(({ name }) => name)].sort(),
  );
  expect(Row.additionalProperties).toBe(false);
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(Object.keys(description.components.schemas)).toContain(name);
  expect(text).not.toContain("$schema");
});
