import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { parseLog } from "@coterie/core";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { coterie, scratch, start } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";
import { endAll, launch, type Service, until } from "../testing/service.ts";

const folder = scratch();
afterEach(endAll);
afterAll(folder.remove);

const LISTEN = ["--listen", "/ip4/127.0.0.1/tcp/0"];
const items = [
  [1, 0, 0],
  [0, 1, 0],
];
const common = (store: string, listen = LISTEN): string[] => [
  "peer",
  ...["--room", "front-page", "--store", folder.path(store), "--dimension", "3"],
  ...listen,
];

async function reward(peer: Service): Promise<string> {
  const { choices } = await peer.ask<{ choices: { id: string }[] }>("/choose", { items });
  const id = choices[0]?.id ?? "";
  expect(await peer.ask("/reward", { id, reward: 1 })).toEqual({ result: "learned" });
  return id;
}

describe("coterie peer", () => {
  const file = folder.path("features.json");
  writeFileSync(file, '{"topic":{"kind":"oneHot","values":[]}}');
  const key = folder.path("short-key");
  writeFileSync(key, "hush\n", { mode: 0o600 });
  // What the server's own tests refuse already is not repeated here.
  const wrong: [args: string[], sentence: string][] = [
    [["--dimension", "3", "--features", file], "--dimension must not be combined with --features, but is 3"],
    [["--features", file], `${file}: features.topic.values must hold at least one value`],
    [["--features", `${file}.not`], `${file}.not must be a file that can be read, but is missing`],
    [["--dimension", "3", "--http", "0.0.0.0:0"], "--http must be a loopback address such as 127.0.0.1, unless"],
    [["--dimension", "3", "--bootstrap", "hub.example"], "bootstrap[0] must be a multiaddr such as"],
    [["--dimension", "3", "--reward-range", "1,0"], "reward.range must rise from its first to its last"],
    [["--dimension", "3", "--room-key-file", key], "roomKey must be a text of at least 16 letters"],
    [
      ["--dimension", "3", "--decision-log", folder.path("")],
      "--decision-log must be a file that can be written (EISDIR)",
    ],
    [["--dimension", "3", "--store", file], "--store must be a directory that can be created"],
  ];
  it("refuses what is wrong with one sentence and exit code 2, and starts nothing", async () => {
    const ends = [];
    for (const [args, sentence] of wrong) {
      const store = args.includes("--store") ? [] : ["--store", folder.path("never")];
      ends.push({ sentence, ...(await refused(["peer", "--room", "r", ...store, ...args])) });
    }
    for (const { code, out, err, sentence } of ends) {
      expect(err).toContain(sentence);
      expect({ code, out, lines: err.trim().split("\n").length }).toEqual({ code: 2, out: "", lines: 1 });
      expect(err).not.toContain("hush");
    }
  });

  it("stops at SIGTERM amid exchanges, whoever is still sending, and goes on where it was", async () => {
    const env = { COTERIE_ROOM_KEY: "a key that must not leak" };
    const more = ["--log-level", "debug", "--policy", "dccb", "--tick-ms", "20"];
    const args = [...common("stopped"), ...more, "--decision-log", folder.path("decisions.jsonl")];
    const first = await launch(args, env);
    const bootstrap = ["--bootstrap", first.ready.addresses[0] ?? ""];
    const second = await launch([...common("partner"), ...more, ...bootstrap], env);
    await until("they exchange", async () => {
      const { exchanges } = await first.ask<{ exchanges: { mix?: number } }>("/state");
      return (exchanges.mix ?? 0) > 3;
    });
    const id = await reward(first);
    const { port } = new URL(first.ready.http);
    const slow = connect(Number(port), "127.0.0.1");
    slow.on("error", () => {});
    slow.write(
      "POST /choose HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n[",
    );
    await first.ask("/health");
    const { code, out, err } = await first.kill("SIGTERM");
    expect(code).toBe(0);
    expect(out.trim().split("\n").length).toBe(1);
    for (const line of err.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("level");
    const decisions = parseLog(readFileSync(folder.path("decisions.jsonl"), "utf8"));
    expect(decisions.map(({ kind, id }) => [kind, id])).toEqual([
      ["choice", id],
      ["reward", id],
    ]);
    expect(err).toContain('"message":"stopped"');
    expect(err + out).not.toContain("must not leak");
    const again = await launch(args, env);
    expect(again.ready.self).toBe(first.ready.self);
    expect(await again.ask("/reward", { id, reward: 1 })).toEqual({ result: "duplicate" });
    expect(await again.ask("/state")).toMatchObject({ own: 1 });
    expect((await again.kill("SIGINT")).code).toBe(130);
    expect((await second.kill("SIGTERM")).code).toBe(0);
  });

  it("keeps every reward it acknowledged through kill -9", async () => {
    const args = common("killed");
    let peer = await launch(args);
    let known = 0;
    for (let times = 0; times < 3; times++) {
      let acknowledged = 0;
      const work = Promise.allSettled(
        [1, 2, 3].map(async () => {
          for (;;) {
            await reward(peer);
            acknowledged += 1;
          }
        }),
      );
      await until("some rewards are in", async () => acknowledged >= 10);
      await peer.kill("SIGKILL");
      await work;
      peer = await launch(args);
      const { own, quarantined } = await peer.ask<{ own: number; quarantined: unknown }>("/state");
      expect(quarantined).toBeNull();
      // One in each hand may have been written down without the caller's knowing.
      expect(own - known).toBeGreaterThanOrEqual(acknowledged);
      expect(own - known).toBeLessThanOrEqual(acknowledged + 3);
      known = own;
    }
  });

  it("has its store, its port and its addresses for itself", async () => {
    const peer = await launch(common("shared"));
    const busy = await coterie(common("shared"));
    expect(busy.code).toBe(2);
    expect(busy.err).toContain("--store must be a store that no other process has open");
    const { host } = new URL(peer.ready.http);
    const taken = await coterie([...common("other"), "--http", host]);
    expect(taken.code).toBe(2);
    expect(taken.err).toContain(`--http must be an address that nobody else listens on, but is "${host}"`);
    const address = peer.ready.addresses[0]?.replace(/\/p2p\/.*/, "") ?? "";
    const deaf = await coterie(common("third", ["--listen", address]));
    expect(deaf.code).toBe(2);
    expect(deaf.err).toContain("--listen must be addresses that are free here");
    await reward(peer);
  });

  it("serves beyond this machine only those who bear its token", async () => {
    const peer = await launch([...common("token"), "--http", "0.0.0.0:0"], {
      COTERIE_TOKEN: "a-token-of-many-letters",
    });
    const url = peer.ready.http.replace("0.0.0.0", "127.0.0.1");
    const headers = { authorization: "Bearer a-token-of-many-letters" };
    expect((await fetch(`${url}/state`)).status).toBe(401);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/state`, { headers })).status).toBe(200);
  });

  it("can be stopped while it starts", async () => {
    const { child, ended } = start(common("early"));
    // The first line, that the room is open, comes before the peer is ready.
    await new Promise((resolve) => child.stderr?.once("data", resolve));
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});
