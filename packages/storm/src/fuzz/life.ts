import { dccb, fromSnapshot, type Policy, Random, snapshot, type WireLimits } from "@coterie/core";
import { memoryStore } from "@coterie/net";
import * as parts from "@coterie/net/internal";
import { livedPeer } from "./samples.ts";
import type { FuzzTarget } from "./target.ts";

const DIMENSION = 3;
const TERMS = "terms";
const ID = "0123456789abcdef0123456789abcdef";

/** A peer's whole life as its disk has it, and as it is carried elsewhere. */
export function savedTargets(policy: Policy): FuzzTarget[] {
  const peer = livedPeer(policy, DIMENSION);
  const config: parts.HostConfig = {
    peer: peer.config,
    store: memoryStore()(),
    agreement: "room",
    limits: { dimension: DIMENSION, most: 64, reward: 1 },
    random: Random.seeded(1),
  };
  const birth = { id: peer.config.id, key: new Uint8Array(64).fill(9) };
  const exchange = parts.createExchange({ peer, agreement: "room", limits: config.limits })!;
  exchange.propose("b", ID);
  const loss = new parts.Loss();
  loss.begin(peer, 1e12);
  const queue = new parts.ReportQueue();
  queue.add(REPORT);
  const saved = { birth, peer, exchange, loss, places: placesOf("/ip4/192.0.2.7/tcp/4001"), queue, annex: null };
  const bytes = parts.writeSaved(saved, new Uint8Array(5), true);
  return [
    { name: `life of ${policy.kind}`, samples: [bytes], read: (it) => void parts.readSaved(config, it) },
    {
      name: `import of ${policy.kind}`,
      samples: [parts.pack(TERMS, bytes)],
      read: (it) => void parts.readSaved(config, parts.unpack(TERMS, it)),
    },
  ];
}

/** Pending and settled choices. */
export function ledgerTarget(): FuzzTarget {
  const ledger = new parts.Ledger(DIMENSION, TERMS);
  for (let k = 1; k < 4; k++) ledger.add({ id: `${k}`.padStart(16, "0"), arm: new Float64Array(DIMENSION), due: k });
  ledger.settle("0000000000000002", "rewarded");
  ledger.settle("0000000000000003", "expired");
  const unseen = { slate: "0000000000000004", place: 0, closed: true };
  ledger.add({ id: unseen.slate, arm: new Float64Array(DIMENSION), due: 4, unseen });
  return {
    name: "ledger",
    samples: [ledger.save()],
    read: (bytes) => new parts.Ledger(DIMENSION, TERMS).load(bytes),
  };
}

const KINDS = [
  "observe",
  "join",
  "leave",
  "resize",
  "forget",
  "close",
  "change",
  "lost",
  "places",
  "regain",
  "observe-retold",
  "exchange-flight",
  "exchange-landed",
  "exchange-answered",
  "exchange-withdrawn",
  "report-queued",
  "report-done",
];
const LEDGER_KINDS = [
  "choice",
  "choice-rewarded",
  "choice-expired",
  "choice-unseen",
  "choice-shown",
  "choice-closed",
  "choice-cancelled",
  "choice-dropped",
  "terms",
];

/** Entries of a log, lived through again: the first byte names the kind. */
export function journalTarget(): FuzzTarget {
  const limits = { dimension: DIMENSION, most: 64, reward: 1 };
  const policy = dccb({ delay: { rounds: 4 } });
  const lived = livedPeer(policy, DIMENSION);
  const { config } = lived;
  const state = snapshot(lived);
  const kinds = [...KINDS, ...LEDGER_KINDS];
  return {
    name: "journal",
    samples: entriesOf(policy, limits).map(({ kind, body }) => Uint8Array.of(kinds.indexOf(kind), ...body)),
    read(bytes) {
      const entry = { kind: kinds[(bytes[0] ?? 0) % kinds.length]!, body: bytes.slice(1) };
      if (new parts.Ledger(DIMENSION, TERMS).relive(entry)) return;
      const peer = fromSnapshot(config, state);
      const exchange = parts.createExchange({ peer, agreement: "room", limits })!;
      if (entry.kind === "exchange-landed") exchange.restore({ kind: "flight", id: ID, partner: "b" });
      parts.journal.relive(entry, {
        peer,
        exchange,
        loss: new parts.Loss(),
        places: new parts.Places(),
        queue: new parts.ReportQueue(),
      });
    },
  };
}

const REPORT = { kind: "reward", token: "AQ", value: 1, taken: 1e12, chooser: "b", until: 2e12 } as const;
const HERITAGE = { slot: new Float64Array(9), squares: 1, count: 4, era: 0, version: 7 };

function placesOf(address: string): parts.Places {
  const places = new parts.Places();
  places.remember({ answered: [address], own: ["/tcp/4001"] });
  return places;
}

/** One of each kind, as a peer and its partner would write them. */
function entriesOf(policy: Policy, limits: WireLimits): parts.Entry[] {
  const partner = livedPeer(policy, DIMENSION);
  const other = parts.createExchange({ peer: partner, agreement: "room", limits })!;
  const { proposal } = other.propose("a", ID);
  const frames = policy.codec!.encode(partner.learner.offer());
  const answer = parts.encodeAnswer({ id: ID, round: partner.round, verdict: "mix", reason: "", frames });
  const { journal, chosen, settled, Ledger } = parts;
  const pending = { id: "0000000000000001", arm: new Float64Array(DIMENSION), due: 1 };
  return [
    journal.observed(Float64Array.of(0.1, 0.2, 0.3), 0.5),
    journal.resized(7),
    journal.forgotten("b"),
    journal.CLOSED,
    journal.lost(1e12),
    journal.placed(placesOf("/ip4/192.0.2.7/tcp/4001")),
    journal.regained({ heritage: HERITAGE, left: HERITAGE }),
    journal.observed(Float64Array.of(0.1, 0.2, 0.3), 0.5, true),
    journal.exchanged({ kind: "flight", id: ID, partner: "b" }),
    journal.exchanged({ kind: "landed", id: ID, answer }),
    journal.exchanged({ kind: "withdrawn", id: ID }),
    journal.exchanged({ kind: "answered", id: ID, partner: "b", proposal }),
    parts.queued(REPORT),
    parts.reported(REPORT),
    chosen(pending),
    settled(pending.id, "rewarded"),
    settled(pending.id, "expired"),
    chosen({ ...pending, unseen: { slate: "0000000000000002", place: 1, closed: false } }),
    settled(pending.id, "cancelled"),
    new Ledger(DIMENSION, TERMS).title(),
  ];
}
