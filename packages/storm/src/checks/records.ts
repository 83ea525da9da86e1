import { type KindredOffer, kindred, type Record } from "@coterie/core";
import type { parts } from "@coterie/net";
import { DIMENSION } from "../world/device.ts";

const NEWCOMER = kindred().create(DIMENSION, 1, "newcomer").offer() as KindredOffer;

/** Everything a kindred peer would tell somebody who knows nothing: its own record and all it holds. */
export function recordsOf({ peer }: parts.PeerHost): readonly Record[] {
  const offer = peer.learner.offer() as KindredOffer;
  return offer.recordsFor(NEWCOMER.greeting);
}

/**
 * One origin, one version, one content, wherever it turns up; and no version that its origin does not know of. Origins
 * whose disk was repaired are left out: what they lost they may publish again, and that was reported.
 */
export class Versions {
  readonly #content = new Map<string, string>();

  /** What is wrong with the records that these peers hold, or null. */
  fault(hosts: readonly parts.PeerHost[], excused: ReadonlySet<string>): string | null {
    const own = new Map<string, number>();
    for (const host of hosts) {
      const { id } = host.peer.config;
      own.set(id, recordsOf(host).find(({ origin }) => origin === id)?.version ?? 0);
    }
    for (const host of hosts) {
      const holder = host.peer.config.id;
      for (const { origin, version, slot, squares, count } of recordsOf(host)) {
        if (excused.has(origin) || !own.has(origin)) continue;
        if (version > own.get(origin)!) {
          return `${holder} has version ${version} of ${origin}, which is at version ${own.get(origin)} itself`;
        }
        const content = `${count} ${squares} ${slot.join(" ")}`;
        const known = this.#content.get(`${origin} ${version}`);
        if (known !== undefined && known !== content) return `version ${version} of ${origin} exists with two contents`;
        this.#content.set(`${origin} ${version}`, content);
      }
    }
    return null;
  }
}
