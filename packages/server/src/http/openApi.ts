import { VERSION } from "../version.ts";
import { type JsonSchema, list, object, ref, text } from "./schema.ts";

/** An OpenAPI 3.1 document, as far as those here go. */
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", Operation>>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
  readonly security?: readonly object[];
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export const json = (schema: JsonSchema): Content => ({ "application/json": { schema } });

const REFUSALS: Readonly<Record<number, string>> = {
  400: "The request is wrong; the sentence names the field, its value and what it must be.",
  401: "The token is missing or wrong.",
  413: "The body is too long.",
  415: "The body is not application/json.",
  503: "The peer is being opened or closed, or its store failed.",
};

/** The refusals that an operation knows, as responses. */
export function refusals(...statuses: number[]): Operation["responses"] {
  const all = statuses.map((status) => [
    String(status),
    { description: REFUSALS[status] ?? "Refused.", content: json(ref("Problem")) },
  ]);
  return Object.fromEntries(all);
}

export const answer = (description: string, schema: JsonSchema): Operation["responses"] => ({
  "200": { description, content: json(schema) },
});

const PROBLEM_SCHEMA = object({ error: text("What is wrong, in one sentence.") });

const HEALTH_SCHEMA = object({
  live: { type: "boolean", description: "False when only another start helps." },
  ready: { type: "boolean", description: "Whether to send it requests." },
  reasons: list(text(), "Why it is not."),
  notes: list(text(), "What is worth knowing all the same."),
});

const HEALTH: Operation = {
  operationId: "health",
  summary: "Readiness; needs no token",
  security: [],
  responses: {
    ...answer("Ready.", ref("Health")),
    "503": { description: "Not ready, and why.", content: json(ref("Health")) },
  },
};

const LIVE: Operation = {
  operationId: "live",
  summary: "Liveness; needs no token",
  security: [],
  responses: {
    ...answer("Live.", ref("Health")),
    "503": { description: "Only another start helps.", content: json(ref("Health")) },
  },
};

const METRICS: Operation = {
  operationId: "metrics",
  summary: "Metrics for Prometheus",
  responses: {
    "200": { description: "In Prometheus's text format.", content: { "text/plain": { schema: text() } } },
    ...refusals(401),
  },
};

const DOCUMENT: Operation = {
  operationId: "openapi",
  summary: "This document",
  responses: { ...answer("OpenAPI 3.1.", { type: "object" }), ...refusals(401) },
};

/** Where `mountRoutine` mounts them. */
const ROUTINE: OpenApi["paths"] = {
  "/health": { get: HEALTH },
  "/health/live": { get: LIVE },
  "/metrics": { get: METRICS },
  "/openapi.json": { get: DOCUMENT },
};

export interface Described {
  readonly title: string;
  readonly description: string;
  /** The routes of its own; what every process has is added. */
  readonly paths: OpenApi["paths"];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly withToken: boolean;
}

/** The document of one process. */
export function documentOf({ title, description, paths, schemas, withToken }: Described): OpenApi {
  return {
    openapi: "3.1.0",
    info: { title, version: VERSION, description },
    paths: { ...paths, ...ROUTINE },
    components: {
      schemas: { Problem: PROBLEM_SCHEMA, Health: HEALTH_SCHEMA, ...schemas },
      ...(withToken && { securitySchemes: { token: { type: "http", scheme: "bearer" } } }),
    },
    ...(withToken && { security: [{ token: [] }] }),
  };
}
