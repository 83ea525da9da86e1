import { list, object, ref, type Schema, text } from "./schema.ts";

/** An OpenAPI 3.1 document, as far as those here go. */
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", Operation>>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
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

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export const json = (schema: Schema): Content => ({ "application/json": { schema } });

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

export const answer = (description: string, schema: Schema): Operation["responses"] => ({
  "200": { description, content: json(schema) },
});

export const PROBLEM_SCHEMA = object({ error: text("What is wrong, in one sentence.") });

export const HEALTH_SCHEMA = object({
  live: { type: "boolean", description: "False when only another start helps." },
  ready: { type: "boolean", description: "Whether to send it requests." },
  reasons: list(text(), "Why it is not."),
  notes: list(text(), "What is worth knowing all the same."),
});

export const HEALTH: Operation = {
  operationId: "health",
  summary: "Readiness; needs no token",
  security: [],
  responses: {
    ...answer("Ready.", ref("Health")),
    "503": { description: "Not ready, and why.", content: json(ref("Health")) },
  },
};

export const LIVE: Operation = {
  operationId: "live",
  summary: "Liveness; needs no token",
  security: [],
  responses: {
    ...answer("Live.", ref("Health")),
    "503": { description: "Only another start helps.", content: json(ref("Health")) },
  },
};

export const METRICS: Operation = {
  operationId: "metrics",
  summary: "Metrics for Prometheus",
  responses: {
    "200": { description: "In Prometheus's text format.", content: { "text/plain": { schema: text() } } },
    ...refusals(401),
  },
};
