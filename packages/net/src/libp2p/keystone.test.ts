import { describe, expect, it } from "vitest";
import { AVERAGING, openHosts, PEERS, playInLockstep, playOverLinks } from "../host/testing/script.ts";
import { type Libp2pNetwork, libp2p } from "./index.ts";
import { LOCAL, ROOM, until } from "./testing/room.ts";

async function room(): Promise<Libp2pNetwork[]> {
  const networks = [await libp2p({ listen: LOCAL })(ROOM)];
  const bootstrap = networks[0]!.addresses();
  while (networks.length < PEERS) networks.push(await libp2p({ listen: LOCAL, bootstrap })(ROOM));
  return networks;
}

describe("peers over libp2p decide as peers in lockstep do, bit for bit", () => {
  it.each(AVERAGING)("%s", async (_, policy) => {
    const networks = await room();
    const hosts = await openHosts(policy, networks, ROOM.agreement);
    await until(() => networks.every((network) => network.alive().length === PEERS - 1), "all know all");
    const choices = await playOverLinks(hosts);
    expect(hosts.every(({ violations, exchange }) => violations.size === 0 && exchange!.massAtRisk === 0)).toBe(true);
    await Promise.all(hosts.map((host) => host.close()));
    expect(choices).toEqual(playInLockstep(policy));
    expect(new Set(choices.flat()).size).toBeGreaterThan(1);
  });
});
