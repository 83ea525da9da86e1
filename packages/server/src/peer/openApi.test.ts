import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { OpenApi, Operation } from "../http/openApi.ts";
import { misfits } from "../testing/schema.ts";
import { type Served, serveAlone } from "../testing/server.ts";
import { VERSION } from "../version.ts";
import { createPeerApp } from "./app.ts";
import { openApi } from "./openApi.ts";

let server: Served;
let document: OpenApi;
beforeAll(async () => {
  server = await serveAlone({ explore: { floor: 0.1 } });
  document = (await server.ask("/openapi.json")).body as OpenApi;
});
afterAll(() => server.close());

const operation = (path: string): Operation => {
  const { get, post } = document.paths[path] ?? {};
  const found = get ?? post;
  if (found === undefined) throw new Error(`${path} is not in the document`);
  return found;
};

/** Asks for real, and holds question and answer against the document. */
async function check(path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await server.ask(path, body);
  const { responses, requestBody } = operation(path);
  const described = responses[answer.status];
  expect(described, `${path} ${answer.status}`).toBeDefined();
  const [type, content] = Object.entries(described?.content ?? {})[0] ?? ["", { schema: {} }];
  expect(answer.headers.get("content-type")).toContain(type);
  expect(misfits(document, content.schema, answer.body)).toEqual([]);
  const asked = requestBody?.content["application/json"]?.schema;
  if (asked !== undefined) expect(misfits(document, asked, body).length === 0).toBe(answer.status === 200);
  return answer;
}

const items = [
  [0.5, 0, 0],
  [0, 0.5, 0],
];

describe("the OpenAPI document", () => {
  it("describes the routes there are, and no others", () => {
    const app = createPeerApp({
      ...({} as Parameters<typeof createPeerApp>[0]),
      token: null,
    });
    const routes = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(routes.sort());
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: manifest.version } });
    expect(VERSION).toBe(manifest.version);
  });

  it("is whole: every reference leads somewhere, every operation has a name of its own", () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
    const ids = Object.keys(document.paths).map((path) => operation(path).operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(document.security).toBeUndefined();
    expect(openApi(true)).toMatchObject({ security: [{ token: [] }], components: { securitySchemes: { token: {} } } });
  });

  it("is true of real answers, good and bad", async () => {
    const { body } = await check("/choose", { items, k: 2, explain: true });
    const { choices } = body as { choices: { id: string }[] };
    await check("/choose", { items });
    await check("/reward", { id: choices[0]?.id, reward: 1 });
    await check("/reward", { id: choices[0]?.id, reward: 1 });
    await check("/observe", { items, index: 0, reward: 1 });
    await check("/watch", { items, index: 0 });
    const { slate } = (await check("/slate", { items, k: 2, explain: true, exclude: [] })).body as { slate: string };
    await check("/pending");
    await check("/slate/shown", { slate, places: 1 });
    await check("/slate/cancel", { slate });
    await check("/score", { items, explain: true });
    await check("/score", { items, k: 1 });
    await check("/slate", { items });
    await check("/choose", { items: [] });
    await check("/choose", { items, k: 101 });
    await check("/choose", { items, unknown: 1 });
    await check("/reward", { id: 7, reward: 1 });
    await check("/observe", { items, index: -1, reward: 1 });
    await server.peer.tick();
    await check("/choose", { items, explain: true });
    for (const path of ["/state", "/pending", "/weights", "/health", "/health/live", "/metrics", "/openapi.json"])
      await check(path);
  });
});
