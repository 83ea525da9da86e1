import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { endAll, launch } from "../testing/service.ts";

const folder = scratch();
afterEach(endAll);
afterAll(folder.remove);

const FREE = ["--listen", "/ip4/127.0.0.1/tcp/0"];

interface Document {
  readonly findings: readonly { readonly check: string; readonly status: string; readonly found: string }[];
}

describe("coterie doctor", () => {
  it("finds a hub, and all well with a store that is not there yet", async () => {
    const hub = await launch(["hub", ...FREE, "--key-file", folder.path("hub.key")]);
    const args = ["--store", folder.path("peer"), "--bootstrap", hub.ready.addresses[0] ?? ""];
    const { code, out, err } = await coterie(["doctor", ...FREE, ...args, "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const { findings }: Document = JSON.parse(out);
    expect(findings.filter(({ status }) => status === "bad")).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      ...["node", "clock", "ports", "store", "store", "hub", "webrtc", "browser"],
    ]);
    const busy = await coterie(["doctor", "--listen", (hub.ready.addresses[0] ?? "").replace(/\/p2p\/.*/, "")]);
    expect(busy.code).toBe(3);
    expect(busy.out).toMatch(/^bad +ports .*another process listens there\.\n +Stop that one/m);
  });

  it("says what is bad and what to do, and ends with exit code 3", async () => {
    const foreign = folder.path("foreign");
    mkdirSync(foreign);
    writeFileSync(`${foreign}/notes.txt`, "not a store");
    const nobody = "/ip4/127.0.0.1/tcp/9";
    const { code, out, err } = await coterie(["doctor", ...FREE, "--store", foreign, "--bootstrap", nobody]);
    expect(code).toBe(3);
    expect(err).toBe("coterie: 2 of 8 checks found something bad\n");
    expect(out).toMatch(/^good +node +Node v/m);
    expect(out).toMatch(/^bad +store .*holds other things.*\n +Give a peer's store/m);
    expect(out).toMatch(/^bad +hub .*cannot be reached.*\n +See that the hub runs/m);
  });
});
