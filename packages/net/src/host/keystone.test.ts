import { describe, expect, it } from "vitest";
import { MemoryNetwork } from "../link/memory.ts";
import { AVERAGING, openHosts, PEERS, playInLockstep, playOverLinks } from "./testing/script.ts";

describe("real peers over a link decide as peers in lockstep do, bit for bit", () => {
  it.each(AVERAGING)("%s", async (_, policy) => {
    const network = new MemoryNetwork();
    const links = Array.from({ length: PEERS }, (_, i) => ({ self: `${i}`, link: network.link(`${i}`) }));
    const hosts = await openHosts(policy, links, "room");
    const choices = await playOverLinks(hosts);
    await Promise.all(hosts.map((host) => host.close()));
    expect(choices).toEqual(playInLockstep(policy));
    expect(new Set(choices.flat()).size).toBeGreaterThan(1);
  });
});
