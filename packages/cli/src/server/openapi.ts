import { type AnyModel, isRegression } from "conformant";
import { z } from "zod";
import type { RequestSchemas } from "./request-schemas.ts";
import { numberSchemas, responseSchemas } from "./response-schemas.ts";

const REFUSALS: Readonly<Record<string, string>> = {
  "400": "The body is not JSON.",
  "401": "The bearer token is missing or invalid.",
  "413": "The body is too large.",
  "415": "Unsupported content type.",
  "422": "The body does not fit the model: an unknown column, or an invalid value or option.",
  "429": "Too many concurrent requests from this client. Retry after the time in Retry-After.",
  "503": "Too many concurrent requests, or the answer took too long. Retry after the time in Retry-After.",
};

/** The OpenAPI 3.1 description of the service, generated from the schemas that validate requests. */
export function openApi(
  model: AnyModel,
  schemas: RequestSchemas,
  version: string,
  needsToken: boolean,
): object {
  const responses = isRegression(model) ? numberSchemas : responseSchemas;
  const registry = z.registry<{ id: string }>();
  for (const schema of [...Object.values(schemas), ...Object.values(responses)]) {
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
      description:
        "Expected predictions of a classifier or regressor when some of its inputs are missing, with explanations and questions.",
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
      post: posting("PredictRequest", "PredictResponse", "Predictions for one row or many", true),
    },
    "/explain": { post: posting("ExplainRequest", "Explanation", "The explanation of a prediction") },
    "/ask": { post: posting("AskRequest", "Questions", "The most informative missing columns") },
    "/model": { get: getting("ModelSummary", "What the model predicts, and its columns") },
    "/health": { get: { ...getting("Health", "Whether the process is alive"), security: [] } },
    "/ready": { get: { ...getting("Readiness", "Whether it accepts requests; 503 if not"), security: [] } },
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

/** Removes identifiers and dialects, which schemas inside one OpenAPI 3.1 document do not need. */
function withoutAddresses(schemas: Readonly<Record<string, object>>): object {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $id, $schema, id, ...rest } = schema as Record<string, unknown>;
      return [name, rest];
    }),
  );
}
