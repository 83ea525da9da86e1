import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPeer, folderStore, vectors } from "@coterie/net";
import { afterAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { endAll, launch } from "../testing/service.ts";

const folder = scratch();
afterAll(folder.remove);
afterAll(endAll);
const at = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const alone = async (store: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [at("examples/alone.mjs"), store])).stdout;

describe("coterie backup and restore", () => {
  it("make a store again of one file, and the peer goes on", async () => {
    const [store, file, copy] = [folder.path("store"), folder.path("backup"), folder.path("copy")];
    await alone(store);
    const backed = await coterie(["backup", store, file]);
    const said = /^backed up to .*: \d+ bytes, up to record \d+\n$/;
    expect([backed.code, backed.out]).toEqual([0, expect.stringMatching(said)]);
    const restored = await coterie(["restore", file, copy, "--json"]);
    expect([restored.code, JSON.parse(restored.out)]).toEqual([0, { incarnation: 2, made: expect.any(Number) }]);
    expect(await alone(copy)).toMatch(/^remembers 40 rewards\n/);
  });

  it("leave a store that nobody calls damaged", async () => {
    const [store, file, copy] = [folder.path("sound"), folder.path("of-sound"), folder.path("made-of-it")];
    const peer = ["peer", "--room", "sound", "--dimension", "2", "--listen", "none", "--http", "127.0.0.1:0"];
    await (await launch([...peer, "--store", store])).kill("SIGTERM");
    expect((await coterie(["backup", store, file])).err).toBe("");
    expect((await coterie(["restore", file, copy])).err).toBe("");
    const restored = await launch([...peer, "--store", copy]);
    expect(await restored.ask<string>("/metrics")).toMatch(/^coterie_store_repairs_total 0$/m);
    expect(await restored.ask("/state")).toMatchObject({ quarantined: { keptAt: file, restored: true } });
    const { err } = await restored.kill("SIGTERM");
    const lines = err
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { level: string; message: string });
    expect(lines).toContainEqual(expect.objectContaining({ level: "warn", message: "store restored", keptAt: file }));
    expect(lines.filter(({ level, message }) => level === "error" || /repaired/.test(message))).toEqual([]);
  });

  it("copy the store of a busy peer: what was acknowledged before is there, and no version comes twice", async () => {
    const store = folder.path("busy");
    const peer = await launch([
      ...["peer", "--room", "busy", "--dimension", "2", "--store", store],
      ...["--http", "127.0.0.1:0", "--listen", "none"],
    ]);
    let [asked, learned, stopped] = [0, 0, false];
    const user = async (): Promise<void> => {
      while (!stopped) {
        const items = [
          [0.5, 0.1],
          [0.1, 0.5],
        ];
        const { choices } = await peer.ask<{ choices: { id: string }[] }>("/choose", { items });
        asked += 1;
        await peer.ask("/reward", { id: choices[0]!.id, reward: asked % 2 });
        learned += 1;
      }
    };
    const users = [user(), user(), user()];
    const copies: { readonly before: number; readonly after: number; readonly path: string }[] = [];
    for (let n = 0; n < 2; n++) {
      const [before, file, path] = [learned, folder.path(`busy-${n}`), folder.path(`busy-copy-${n}`)];
      expect((await coterie(["backup", store, file])).err).toBe("");
      copies.push({ before, after: asked, path });
      expect((await coterie(["restore", file, path])).err).toBe("");
    }
    stopped = true;
    await Promise.all(users);
    await peer.kill("SIGTERM");
    const versions: number[] = [];
    const opened = async (path: string): Promise<{ own: number; reason: string | undefined }> => {
      const options = { room: "busy", features: vectors(2), store: folderStore(path), tick: false } as const;
      const copy = await createPeer(options);
      versions.push(copy.host.peer.learner.heritage!().version);
      const { own, quarantined } = copy.state();
      await copy.close();
      // Every start publishes above the clock, by sixteenths of a second.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { own, reason: quarantined?.reason };
    };
    expect(await opened(store)).toEqual({ own: learned, reason: undefined });
    for (const { before, after, path } of copies) {
      const { own, reason } = await opened(path);
      expect(reason).toMatch(/^restored from a backup/);
      expect(own).toBeGreaterThanOrEqual(before);
      expect(own).toBeLessThanOrEqual(after);
    }
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  });

  it("take no other store's place", async () => {
    const store = folder.path("taken");
    mkdirSync(join(store, "v2"), { recursive: true });
    const { code, err } = await coterie(["restore", at("README.md"), store]);
    expect([code, err]).toEqual([2, expect.stringContaining("STORE must be an empty or new folder")]);
  });
});

describe("a store that commit 45e3010 wrote", () => {
  it("is refused with exit code 2 and the command that converts it, which keeps it", async () => {
    const store = folder.path("old");
    cpSync(at("packages/net/src/testing/fixtures/45e3010/kindred"), store, { recursive: true });
    const before = readdirSync(store).sort();
    const peer = ["peer", "--room", "kindred", "--store", store, "--dimension", "2", "--listen", "none"];
    const { code, err } = await coterie(peer);
    expect([code, err]).toEqual([2, expect.stringContaining(`\`coterie upgrade ${store}\` converts it`)]);
    expect(readdirSync(store).sort()).toEqual(before);
    const done = await coterie(["upgrade", store]);
    const kept = join(store, "v1");
    expect([done.code, done.out]).toEqual([
      0,
      `${store} is of version 2 now; the files of version 1 are kept at ${kept}\n`,
    ]);
    expect(readdirSync(kept).sort()).toEqual(before);
  });
});
