import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStore, startHub } from "@coterie/net";
import { afterAll, describe, expect, it } from "vitest";
import { judgeClock } from "./clock.ts";
import { doctor } from "./doctor.ts";
import { checkHub } from "./hub.ts";
import { checkBrowser, checkNode, checkWebrtc } from "./machine.ts";
import { checkPort } from "./ports.ts";
import { lookInto, tryStore } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "coterie-doctor-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A port that somebody listens on. */
async function taken(): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as { port: number }).port, close: () => server.close() };
}

async function damagedStore(): Promise<string> {
  const place = join(folder, "damaged");
  const store = folderStore(place)();
  await store.open();
  await store.append([{ kind: "a", body: new Uint8Array(2000).fill(7) }]);
  await store.append([{ kind: "b", body: new Uint8Array(2000).fill(9) }]);
  await store.close();
  const files = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((name) => /log-\w+$/.test(name));
  for (const name of files) writeFileSync(join(place, name), new Uint8Array(100).fill(1));
  return place;
}

describe("what the doctor finds", () => {
  it("the Node it runs on", () => {
    expect(checkNode("v20.19.0").status).toBe("good");
    expect(checkNode("v24.1.0").status).toBe("good");
    expect(checkNode("v20.18.3")).toMatchObject({ status: "bad", remedy: "Install Node 20.19 or newer." });
    expect(checkNode("v18.20.0").status).toBe("bad");
  });

  it("a clock that is set meanwhile, or lies before what was written", () => {
    const first = { day: 1_800_000_000_000, steady: 5000 };
    const later = { day: first.day + 1000, steady: 6000 };
    expect(judgeClock(first, later, [first.day])).toMatchObject({ status: "good" });
    expect(judgeClock(first, { ...later, day: first.day - 59_000 }, [])).toMatchObject({
      status: "bad",
      found: "The clock was set by -60000 ms while this ran.",
    });
    const back = judgeClock(first, later, [first.day + 86_400_000]);
    expect(back.status).toBe("bad");
    expect(back.found).toContain("2027-01-16 08:00:00 UTC");
  });

  it("ports that are free, taken, or none", async () => {
    const { port, close } = await taken();
    const address = `/ip4/127.0.0.1/tcp/${port}`;
    expect(await checkPort(address, true)).toMatchObject({ status: "bad" });
    expect(await checkPort(`${address}/ws`, false)).toMatchObject({ status: "note" });
    close();
    expect(await checkPort("/ip4/127.0.0.1/tcp/0", true)).toMatchObject({ status: "good" });
    expect((await checkPort("/ip4/203.0.113.9/tcp/4001", true)).found).toContain("no address of this machine");
    expect((await checkPort("4001", true)).remedy).toContain("/ip4/0.0.0.0/tcp/4001");
  });

  it("a folder that keeps stores, and leaves nothing there", async () => {
    const place = join(folder, "stores");
    mkdirSync(place);
    expect(await tryStore(place)).toMatchObject({ status: expect.stringMatching(/good|note/) });
    expect(readdirSync(place)).toEqual([]);
    const file = join(folder, "a file");
    writeFileSync(file, "");
    expect(await tryStore(file)).toMatchObject({ status: "bad" });
    // Root may write anywhere, so this says something for others only.
    chmodSync(place, 0o500);
    if (process.getuid?.() !== 0) expect((await tryStore(place)).status).toBe("bad");
    chmodSync(place, 0o700);
  });

  it("a store that is intact, damaged, foreign, or not there yet", async () => {
    const place = join(folder, "intact");
    const store = folderStore(place)();
    await store.open();
    await store.append([{ kind: "a", body: new Uint8Array(3) }]);
    expect(await lookInto(place), "also while a peer runs on it").toMatchObject({ status: "good" });
    await store.close();
    expect((await lookInto(place)).found).toMatch(/is intact, incarnation \d+/);
    expect(await lookInto(await damagedStore())).toMatchObject({ status: "bad" });
    const foreign = join(folder, "foreign");
    mkdirSync(foreign);
    writeFileSync(join(foreign, "notes.txt"), "not a store");
    expect((await lookInto(foreign)).found).toContain("holds other things");
    expect(await lookInto(join(folder, "nowhere"))).toMatchObject({ status: "note" });
  });

  it("a hub that answers and relays, one that is not there, and what is no address", async () => {
    const hub = await startHub({ listen: ["/ip4/127.0.0.1/tcp/0"] });
    const [address = ""] = hub.addresses;
    expect(await checkHub(address)).toMatchObject({ status: "good", found: expect.stringContaining("through it") });
    await hub.close();
    expect(await checkHub(address)).toMatchObject({ status: "bad" });
    expect((await checkHub("hub.example:4001")).found).toContain("is no address");
  });

  it("a hub that is for another room answers all the same", async () => {
    const hub = await startHub({ listen: ["/ip4/127.0.0.1/tcp/0"], rooms: [{ name: "front-page" }] });
    expect(await checkHub(hub.addresses[0] ?? "")).toMatchObject({ status: "good" });
    await hub.close();
  });

  it("a browser, and the package for tabs", () => {
    expect(checkBrowser({ COTERIE_CHROMIUM: process.execPath }).status).toBe("good");
    expect(checkBrowser({ COTERIE_CHROMIUM: join(folder, "none") }).status).toBe("bad");
    expect(checkBrowser({ PATH: folder }).status).toBe("note");
    expect(checkWebrtc(process.cwd()).status).toBe("good");
    expect(checkWebrtc(folder).status).toBe("note");
  });

  it("all of it in one go, with a remedy wherever something is not good", async () => {
    const options = { listen: ["/ip4/127.0.0.1/tcp/0"], asked: true, store: join(folder, "intact"), bootstrap: [] };
    const findings = await doctor(options);
    expect(findings.map(({ check }) => check)).toEqual([
      "node",
      "clock",
      "ports",
      "store",
      "store",
      "webrtc",
      "browser",
    ]);
    for (const { status, remedy } of findings) expect(remedy === null).toBe(status === "good");
    expect(findings.filter(({ status }) => status === "bad")).toEqual([]);
  });
});
