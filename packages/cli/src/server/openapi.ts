import { z } from "zod";
import type { RequestSchemas } from "./request-schemas.ts";
import { responseSchemas } from "./response-schemas.ts";

const REFUSALS: Readonly<Record<string, string>> = {
  "400": "The body is not JSON.",
  "401": "The bearer token is missing or wrong.",
  "413": "The body is too large.",
  "415": "The content type is not the one expected.",
  "422": "The body does not fit the model: an unknown column, a wrong value or option.",
  "429": "Too many requests of this client at once; Retry-After says when to come back.",
  "503":
    "Too many requests of all clients at once, or the answer took too long; Retry-After says when to come back.",
};

/** The OpenAPI 3.1 description of the service, made from the schemas that check what comes in. */
export function openApi(schemas: RequestSchemas, version: string, needsToken: boolean): object {
  const registry = z.registry<{ id: string }>();
  for (const schema of [...Object.values(schemas), ...Object.values(responseSchemas)]) {
    const id = schema.meta()?.id;
    if (id !== undefined && !registry.has(schema)) registry.add(schema, { id });
  }
  const { schemas: components } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: "any",
    io: "input",
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "conformant",
      version,
      description: "Expected predictions of a logistic regression when some of its inputs are unknown.",
    },
    paths: paths(),
    components: {
      schemas: withoutAddresses(components),
      ...(needsToken && { securitySchemes: { token: { type: "http", scheme: "bearer" } } }),
    },
    ...(needsToken && { security: [{ token: [] }] }),
  };
}

function paths(): object {
  return {
    "/predict": {
      post: posting("PredictRequest", "PredictResponse", "Class probabilities for one row or many", true),
    },
    "/explain": { post: posting("ExplainRequest", "Explanation", "Why a row gets its prediction") },
    "/ask": { post: posting("AskRequest", "Questions", "Which unknown column to ask for next") },
    "/model": { get: getting("ModelSummary", "Classes and columns of the model") },
    "/health": { get: { ...getting("Health", "Whether the server is there"), security: [] } },
    "/ready": { get: { ...getting("Readiness", "Whether it has room for more; 503 if not"), security: [] } },
    "/metrics": {
      get: {
        summary: "Counts and times for Prometheus",
        responses: { "200": { description: "The text format of Prometheus", content: { "text/plain": {} } } },
      },
    },
  };
}

function posting(request: string, response: string, summary: string, lines = false): object {
  const inLines = (name: string) =>
    lines ? { "application/x-ndjson": { schema: reference(name), description: "one per line" } } : {};
  return {
    summary,
    requestBody: { required: true, content: { ...json(request), ...inLines("Row") } },
    responses: {
      "200": { description: summary, content: { ...json(response), ...inLines("Prediction") } },
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [
          status,
          { description, content: json("Error") },
        ]),
      ),
    },
  };
}

function getting(response: string, summary: string): object {
  return { summary, responses: { "200": { description: summary, content: json(response) } } };
}

function json(name: string): object {
  return { "application/json": { schema: reference(name) } };
}

function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** Inside one document the schemas need neither an address of their own nor a dialect: OpenAPI 3.1 has one. */
function withoutAddresses(schemas: Readonly<Record<string, object>>): object {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $id, $schema, id, ...rest } = schema as Record<string, unknown>;
      return [name, rest];
    }),
  );
}
