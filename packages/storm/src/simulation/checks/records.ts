import { kindred } from "@coterie/core";
import type { KindredOffer, PeerRecord } from "@coterie/core/internal";
import * as parts from "@coterie/net/internal";
import { replaceMethod } from "../mutants/replace.ts";
import { DIMENSION } from "../world/device.ts";

const NEWCOMER = kindred().create(DIMENSION, 1, "newcomer").offer() as KindredOffer;

/** Everything a kindred peer would tell somebody who knows nothing: its own record and all it holds. */
export function recordsOf({ peer }: parts.PeerHost): readonly PeerRecord[] {
  const offer = peer.learner.offer() as KindredOffer;
  return offer.recordsFor(NEWCOMER.greeting);
}

/**
 * One origin, one version, one content, wherever it turns up; and no version that its origin does not know of. Origins
 * whose disk was repaired are left out: what they lost they may publish again, and that was reported.
 */
export class Versions {
  readonly #content = new Map<string, string>();

  /** Looks at every record that leaves its origin from now on; `whose` says who answers, null where it is excused. */
  begin(whose: (exchange: parts.Exchange) => string | null, fail: (message: string) => void): () => void {
    return replaceMethod(parts.RecordExchange.prototype, "answer", (exchange, original, partner, bytes) => {
      const given = original(partner, bytes);
      const answer = (records: readonly PeerRecord[]): Uint8Array => {
        const self = records.length === 0 ? null : whose(exchange);
        const own = records.find(({ origin }) => origin === self);
        const fault = own === undefined ? null : this.#note(own);
        if (fault !== null) fail(fault);
        return given.answer(records);
      };
      return { ...given, answer };
    });
  }

  #note({ origin, version, slot, squares, count }: PeerRecord): string | null {
    const content = `${count} ${squares} ${slot.join(" ")}`;
    const known = this.#content.get(`${origin} ${version}`);
    this.#content.set(`${origin} ${version}`, content);
    return known === undefined || known === content ? null : `version ${version} of ${origin} exists with two contents`;
  }

  /** What is wrong with the records that these peers hold, or null. */
  fault(hosts: readonly parts.PeerHost[], excused: ReadonlySet<string>): string | null {
    const own = new Map<string, number>();
    for (const host of hosts) {
      const { id } = host.peer.config;
      own.set(id, recordsOf(host).find(({ origin }) => origin === id)?.version ?? 0);
    }
    for (const host of hosts) {
      const holder = host.peer.config.id;
      for (const record of recordsOf(host)) {
        const { origin, version } = record;
        if (excused.has(origin) || !own.has(origin)) continue;
        if (version > own.get(origin)!) {
          return `${holder} has version ${version} of ${origin}, which is at version ${own.get(origin)} itself`;
        }
        const fault = this.#note(record);
        if (fault !== null) return fault;
      }
    }
    return null;
  }
}
