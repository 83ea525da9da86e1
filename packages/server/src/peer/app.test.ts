import { MemoryNetwork, memory } from "@coterie/net";
import { afterEach, describe, expect, it } from "vitest";
import { MOST_BODY_BYTES } from "../http/body.ts";
import { type Served, serveAlone } from "../testing/server.ts";
import { parseFeatures } from "./features.ts";

const items = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
let servers: Served[] = [];
const serve = async (...options: Parameters<typeof serveAlone>): Promise<Served> => {
  const server = await serveAlone(...options);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

interface Choices {
  readonly choices: readonly { readonly id: string; readonly index: number }[];
}

describe("a peer's HTTP API", () => {
  it("chooses, learns once, and shows what it knows", async () => {
    const { ask } = await serve();
    const { status, body } = await ask("/choose", { items, k: 2, explain: true });
    expect(status).toBe(200);
    const { choices } = body as Choices;
    expect(choices.map(({ index }) => index)).toEqual([0, 1]);
    const id = choices[0]?.id;
    expect((await ask("/reward", { id, reward: 1 })).body).toEqual({ result: "learned" });
    expect((await ask("/reward", { id, reward: 1 })).body).toEqual({ result: "duplicate" });
    expect((await ask("/reward", { id: "0".repeat(16), reward: 1 })).body).toEqual({ result: "unknown" });
    expect((await ask("/observe", { items, index: 2, reward: 0 })).body).toEqual({ wouldChoose: 0 });
    expect((await ask("/state")).body).toMatchObject({ room: "test", own: 2, pending: 1, round: 1 });
    const metrics = (await ask("/metrics")).body as string;
    expect(metrics).toContain("coterie_choices_total 2");
    expect(metrics).toContain('coterie_rewards_total{result="learned"} 1');
    expect(metrics).toContain("coterie_pending_choices 1");
    expect(metrics).toContain("coterie_own_observations 2");
  });

  it("takes items by their features", async () => {
    const topic = { kind: "oneHot", values: ["sport", "arts"] };
    const { ask } = await serve({ features: parseFeatures({ topic, words: { kind: "number", min: 0, max: 3000 } }) });
    const articles = [
      { topic: "sport", words: 100, title: "kept and ignored" },
      { topic: "arts", words: 5000 },
    ];
    expect((await ask("/choose", { items: articles })).status).toBe(200);
    const { status, body } = await ask("/choose", { items: [{ topic: "war", words: 1 }] });
    expect([status, body]).toEqual([400, { error: 'items[0].topic must be one of arts, sport, but is "war"' }]);
  });

  const wrong: [path: string, body: unknown, sentence: string][] = [
    ["/choose", {}, "items must be a list, but is missing"],
    ["/choose", [], "the document must be an object, but is a list of 0"],
    ["/choose", { items: [] }, "items.length must be a whole number from 1 to 10000, but is 0"],
    ["/choose", { items: [[1, 0]] }, "items[0] must be a list of 3 numbers, but is a list of 2"],
    ["/choose", { items: [[1, 0, "0"]] }, 'items[0][2] must be a finite number, but is "0"'],
    ["/choose", { items: [[1, 0, null]] }, "items[0][2] must be a finite number, but is null"],
    ["/choose", '{"items":[[1e999,0,0]]}', "items[0][0] must be a finite number, but is Infinity"],
    ["/choose", { items: [[1, 1, 1]] }, "items[0] must be no longer than 1"],
    ["/choose", { items, k: 0 }, "k must be a whole number from 1 to 100, but is 0"],
    ["/choose", { items, k: 1.5 }, "k must be a whole number from 1 to 100, but is 1.5"],
    [
      "/choose",
      { items, many: 2 },
      "many must not be there (known here: items, k, explain, context, exclude, unit), but is 2",
    ],
    ["/choose", '{"items":[[NaN,0,0]]}', "the body must be JSON"],
    ["/choose", '{"items":', "the body must be JSON"],
    ["/choose", "", "the body must be JSON"],
    ["/reward", { reward: 1 }, "id must be a non-empty text, but is missing"],
    ["/reward", { id: "x", reward: 2 }, "reward must be a number from 0 to 1, but is 2"],
    ["/reward", { id: "x", reward: null }, "reward must be a finite number, but is null"],
    ["/reward", { id: "x", reward: "1" }, 'reward must be a finite number, but is "1"'],
    ["/observe", { items, index: 3, reward: 0 }, "index must be a whole number from 0 to 2, but is 3"],
    ["/watch", { items, index: 3 }, "index must be a whole number from 0 to 2, but is 3"],
    ["/watch", { items, index: 0, propensities: [1] }, "propensities must be a list of 3, but is a list of 1"],
    [
      "/watch",
      { items, index: 0, propensities: [0, 1, 0] },
      "propensities[0] must be a number above 0, at most 1, but is 0",
    ],
    ["/watch", { items, index: 0, unit: 3 }, "unit must be a non-empty text, but is 3"],
    ["/observe", { items, index: 0, reward: -1 }, "reward must be a number from 0 to 1, but is -1"],
  ];
  it.each(wrong)("refuses %s %j with one sentence", async (path, body, sentence) => {
    const { ask, peer } = await serve();
    const answer = await ask(path, body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toContain(sentence);
    expect(peer.state()).toMatchObject({ own: 0, pending: 0 });
  });

  it("has JSON for what is not there, other methods, other types and long bodies", async () => {
    const { ask } = await serve();
    expect(await ask("/nothing")).toMatchObject({ status: 404, body: { error: "there is nothing at /nothing" } });
    const put = await ask("/choose", { items }, { method: "PUT" });
    expect(put).toMatchObject({ status: 405, body: { error: "/choose takes POST, but the method is PUT" } });
    expect(put.headers.get("allow")).toBe("POST");
    expect((await ask("/state", {})).status).toBe(405);
    const plain = await ask("/choose", { items }, { headers: { "content-type": "text/plain" } });
    expect(plain).toMatchObject({ status: 415 });
    const long = await ask("/choose", `"${"x".repeat(MOST_BODY_BYTES)}"`);
    expect(long).toMatchObject({ status: 413, body: { error: expect.stringContaining("at most 4194304 bytes") } });
    expect((await ask("/choose", { items })).status).toBe(200);
  });

  it("counts a body that does not say how long it is", async () => {
    const { ask, url } = await serve();
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
    });
    const init = { method: "POST", body: endless, headers: { "content-type": "application/json" }, duplex: "half" };
    // The server may hang up before all is sent: either way nothing is kept.
    const status = await fetch(`${url}/choose`, init as RequestInit).then(
      (answer) => answer.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect((await ask("/choose", { items })).status).toBe(200);
  });

  it("lets nobody in without the token, but probes", async () => {
    const token = "a-token-of-many-letters";
    const { ask } = await serve({ token });
    for (const authorization of ["", "Bearer", `Bearer ${token}x`, `Basic ${token}`]) {
      const headers = authorization === "" ? {} : { authorization };
      expect(await ask("/state", undefined, { headers })).toMatchObject({
        status: 401,
        body: { error: "authorization must be Bearer and this server's token" },
      });
    }
    expect((await ask("/metrics")).status).toBe(401);
    expect((await ask("/health")).status).toBe(200);
    expect((await ask("/state", undefined, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  it("takes a context, places to exclude, and leaves out bad items where it was told to", async () => {
    const features = parseFeatures({
      item: { genre: { kind: "oneHot", values: ["news", "games"] } },
      context: { device: { kind: "oneHot", values: ["phone", "desktop"] } },
      cross: [["device", "genre"]],
    });
    const { ask } = await serve({ features, onBadItem: "skip" });
    const items = [{ genre: "opera" }, { genre: "news" }, { genre: "games" }];
    const context = { device: "phone" };
    const chosen = await ask("/choose", { items, k: 3, context, exclude: [1] });
    expect(chosen.body).toMatchObject({ choices: [{ index: 2 }] });
    expect((await ask("/metrics")).body).toContain("coterie_bad_items_total 1");
    expect((await ask("/observe", { items, index: 1, reward: 1, context })).status).toBe(200);
    expect((await ask("/watch", { items, index: 1, context })).status).toBe(200);
    const refused = await ask("/choose", { items });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("context must be an object") },
    });
  });

  it("makes a slate of which only what was shown teaches", async () => {
    const { ask, peer } = await serve();
    const { body } = await ask("/slate", { items, k: 3 });
    const { slate, choices } = body as { slate: string; choices: { id: string }[] };
    expect(choices).toHaveLength(3);
    expect((await ask("/slate/shown", { slate, places: 1 })).body).toEqual({ result: "noted" });
    expect((await ask("/slate/cancel", { slate })).body).toEqual({ result: "noted" });
    expect(peer.state().pending).toBe(1);
    expect((await ask("/reward", { id: choices[2].id, reward: 1 })).body).toEqual({ result: "cancelled" });
    expect((await ask("/reward", { id: choices[0].id, reward: 1 })).body).toEqual({ result: "learned" });
    expect((await ask("/slate", { items })).status).toBe(400);
  });

  it("gives tokens that any worker with the secret takes", async () => {
    const network = new MemoryNetwork();
    const reward = { secret: "what all workers share" };
    const [one, other] = [
      await serve({ reward, network: memory(network) }),
      await serve({ reward, network: memory(network) }),
    ];
    const made = (await one.ask("/slate", { items, k: 3 })).body as { choices: { token: string }[] };
    const [first, second] = made.choices.map(({ token }) => token);
    expect((await other.ask("/slate/shown", { token: first, places: 1 })).body).toEqual({ result: "queued" });
    expect((await other.ask("/reward", { token: second, reward: 1 })).body).toEqual({ result: "queued" });
    await expect.poll(() => one.peer.state().own).toBe(1);
    await expect.poll(() => other.peer.state().queued).toBe(0);
    expect((await other.ask("/metrics")).body).toContain('coterie_reports_total{answer="learned"} 1');
    expect((await one.ask("/reward", { token: second, reward: 1 })).body).toEqual({ result: "duplicate" });
    expect((await one.ask("/slate/cancel", { token: first })).body).toEqual({ result: "noted" });
    const third = made.choices[2]!.token;
    expect((await one.ask("/reward", { token: third, reward: 1 })).body).toEqual({ result: "cancelled" });
    const forged = await other.ask("/reward", { token: `${second.slice(0, -1)}A`, reward: 1 });
    expect(forged).toMatchObject({ status: 400, body: { error: expect.stringContaining("token") } });
    expect((await other.ask("/reward", { token: second, id: "x", reward: 1 })).body).toEqual({
      error: expect.stringContaining("must not be combined with id"),
    });
  });

  it("can be looked into: scores, what waits, and weights by name", async () => {
    const features = parseFeatures({ genre: { kind: "oneHot", values: ["news", "games"] } });
    const { ask } = await serve({ features });
    const shelf = [{ genre: "news" }, { genre: "games" }];
    for (let k = 0; k < 20; k++) await ask("/observe", { items: shelf, index: k & 1, reward: k & 1 });
    const { scores } = (await ask("/score", { items: shelf, explain: true })).body as {
      scores: { mean: number; explanation: { text: string } }[];
    };
    expect(scores[1].mean).toBeGreaterThan(0.8);
    expect(scores[1].explanation.text).toContain("genre=games +");
    expect((await ask("/pending")).body).toEqual({ count: 0, choices: [] });
    await ask("/choose", { items: shelf, k: 2 });
    expect((await ask("/pending?most=1")).body).toMatchObject({ count: 2, choices: [{ unseen: null }] });
    expect((await ask("/pending?most=0")).status).toBe(400);
    const { weights } = (await ask("/weights")).body as { weights: Record<string, number> };
    expect(Object.keys(weights)).toEqual(["bias", "genre=games", "genre=news"]);
    expect(weights["genre=games"]).toBeGreaterThan(weights["genre=news"]);
  });

  it("watches a choice whose reward comes later", async () => {
    const { ask } = await serve({ shadow: true });
    const { body } = await ask("/watch", { items, index: 1, propensities: [0.25, 0.5, 0.25], unit: "visitor 3" });
    expect(body).toEqual({ id: expect.any(String), wouldChoose: 0 });
    expect((await ask("/state")).body).toMatchObject({ own: 0, pending: 1 });
    expect((await ask("/reward", { id: (body as { id: string }).id, reward: 1 })).body).toEqual({ result: "learned" });
    expect((await ask("/state")).body).toMatchObject({ own: 1, pending: 0 });
  });

  it("in shadow mode decides nothing and still observes", async () => {
    const { ask } = await serve({ shadow: true });
    expect((await ask("/choose", { items })).status).toBe(400);
    expect((await ask("/observe", { items, index: 1, reward: 1 })).status).toBe(200);
  });

  it("tells probes when it ends, and callers that it is closed", async () => {
    const { ask, vitals, peer } = await serve();
    expect((await ask("/health")).body).toEqual({
      live: true,
      ready: true,
      reasons: [],
      notes: ["nobody else is alive: this peer learns alone"],
    });
    vitals.ending();
    expect(await ask("/health")).toMatchObject({ status: 503, body: { live: true, ready: false } });
    await peer.close();
    expect(await ask("/choose", { items })).toMatchObject({ status: 503, body: { error: "the peer is closed" } });
  });
});
