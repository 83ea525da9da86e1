import { afterAll, afterEach, describe, expect, it } from "vitest";
import { scratch } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";
import { endAll, launch, until } from "../testing/service.ts";

const folder = scratch();
afterEach(endAll);
afterAll(folder.remove);

const LISTEN = ["--listen", "/ip4/127.0.0.1/tcp/0"];
const hub = (...more: string[]): string[] => ["hub", "--key-file", folder.path("hub.key"), ...more];
const peer = (name: string, bootstrap: string): string[] => [
  ...["peer", "--room", "front-page", "--store", folder.path(name), "--dimension", "2", "--tick-ms", "100"],
  ...["--bootstrap", bootstrap, ...LISTEN],
];

interface Overview {
  readonly members: number;
  readonly rooms: readonly { readonly name: string | null; readonly members: number }[];
}

describe("coterie hub", () => {
  it("brings peers together, and is found again after a restart", async () => {
    const first = await launch(hub(...LISTEN, "--room", "front-page", "--max-members", "2"));
    const bootstrap = first.ready.addresses[0] ?? "";
    const [a, b] = await Promise.all([launch(peer("a", bootstrap)), launch(peer("b", bootstrap))]);
    await until("they know each other", async () => {
      const { alive } = await a.ask<{ alive: string[] }>("/state");
      return alive.join() === b.ready.self;
    });
    await until("the hub knows both", async () => (await first.ask<Overview>("/rooms")).members === 2);
    expect((await first.ask<Overview>("/rooms")).rooms).toMatchObject([{ name: "front-page", members: 2 }]);
    const metrics = await first.ask<string>("/metrics");
    expect(metrics).toMatch(/^coterie_hub_members 2$/m);
    const third = await launch(peer("third", bootstrap));
    await until("one more is refused, and the metrics tell why", async () =>
      /^coterie_hub_overloads_total\{limit="members"\} [1-9]/m.test(await first.ask<string>("/metrics")),
    );
    expect((await third.kill("SIGTERM")).err).toContain('"reason":"overloaded"');
    expect(metrics).not.toContain("front-page");
    expect(metrics).not.toContain("12D3Koo");
    const { code, err } = await first.kill("SIGTERM");
    expect(code).toBe(0);
    expect(err).toContain('"message":"stopped"');
    const again = await launch(hub("--listen", bootstrap.replace(/\/p2p\/.*/, "")));
    expect(again.ready.addresses).toEqual([bootstrap]);
    const late = await launch(peer("c", bootstrap));
    await until("a newcomer finds all through it", async () => {
      const { alive } = await late.ask<{ alive: string[] }>("/state");
      return alive.length === 2;
    });
    expect((await again.kill("SIGINT")).code).toBe(130);
  });

  it("refuses what is wrong with one sentence and exit code 2", async () => {
    const running = await launch(hub(...LISTEN));
    const address = running.ready.addresses[0]?.replace(/\/p2p\/.*/, "") ?? "";
    const wrong: [args: string[], sentence: string][] = [
      [hub("--listen", address), "--listen must be addresses that are free here"],
      [hub("--listen", "4001"), "listen[0] must be a multiaddr such as"],
      [["hub", ...LISTEN, "--key-file", folder.path("")], "--key-file must be a file that can be read"],
      [hub(...LISTEN, "--http", "0.0.0.0:0"), "--http must be a loopback address"],
      [hub(...LISTEN, "--max-rooms-per-peer", "0"), "--max-rooms-per-peer must be a whole number from 1"],
    ];
    for (const [args, sentence] of wrong) {
      const { code, err } = await refused(args);
      expect(err).toContain(sentence);
      expect(code).toBe(2);
    }
    const keyed = await refused(hub(...LISTEN), { COTERIE_ROOM_KEY: "a key without a room" });
    expect([keyed.code, keyed.err]).toEqual([
      2,
      "coterie: --room must be given once if there is a room key, but is missing\n",
    ]);
  });
});
