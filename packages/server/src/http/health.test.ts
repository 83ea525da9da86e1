import { memoryStore, StoreError } from "@coterie/net";
import { expect, it } from "vitest";
import { serveAlone } from "../testing/server.ts";

it("a peer whose disk is full says so, is no longer live, and learns nothing it cannot keep", async () => {
  let full = false;
  const make = memoryStore();
  const server = await serveAlone({
    store: () => {
      const store = make();
      const append = store.append.bind(store);
      store.append = async (...entries) => {
        if (full) throw new StoreError("full", "there is no space left for the store");
        return append(...entries);
      };
      return store;
    },
  });
  try {
    const items = [[1, 0, 0]];
    const { body } = await server.ask("/choose", { items });
    const [choice] = (body as { choices: { id: string }[] }).choices;
    expect(await server.ask("/health/live")).toMatchObject({ status: 200, body: { live: true } });
    full = true;
    const refused = await server.ask("/reward", { id: choice?.id, reward: 1 });
    expect(refused).toMatchObject({ status: 503, body: { error: "there is no space left for the store" } });
    expect(await server.ask("/health/live")).toMatchObject({ status: 503, body: { live: false, ready: false } });
    const { reasons } = (await server.ask("/health")).body as { reasons: string[] };
    expect(reasons).toEqual(["the store failed, and only another start helps: there is no space left for the store"]);
  } finally {
    await server.close().catch(() => {});
  }
});
