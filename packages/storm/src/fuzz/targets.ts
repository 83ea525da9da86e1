import {
  dcb,
  dccb,
  fromSnapshot,
  kindred,
  type Policy,
  parseTrace,
  roundRobin,
  snapshot,
  type WireLimits,
} from "@coterie/core";
import * as parts from "@coterie/net/internal";
import { journalTarget, ledgerTarget, savedTargets } from "./life.ts";
import { joined, livedPeer, split, TRACE } from "./samples.ts";
import { type FuzzTarget, jsonTarget } from "./target.ts";

const DIMENSION = 3;
const LIMITS: WireLimits = { dimension: DIMENSION, most: 64, reward: 1 };
const ID = "0123456789abcdef0123456789abcdef";

/** What a partner sends in an exchange, by policy. */
function offerTarget(policy: Policy): FuzzTarget {
  const offer = livedPeer(policy, DIMENSION).learner.offer();
  const codec = policy.codec!;
  return {
    name: `offer of ${policy.kind}`,
    samples: [joined(codec.encode(offer, offer))],
    read: (bytes) => void codec.decode(split(bytes), LIMITS),
  };
}

/** A peer's own state as it comes back from the disk, or from elsewhere. */
function snapshotTarget(policy: Policy): FuzzTarget {
  const peer = livedPeer(policy, DIMENSION);
  return {
    name: `snapshot of ${policy.kind}`,
    samples: [snapshot(peer)],
    read: (bytes) => void fromSnapshot(peer.config, bytes),
  };
}

function exchangeTargets(): FuzzTarget[] {
  const frames = [Uint8Array.of(1, 2, 3), new Uint8Array(40)];
  const proposal = parts.encodeProposal({ id: ID, round: 7, agreement: "room", frames });
  const answer = parts.encodeAnswer({ id: ID, round: 7, verdict: "mix", reason: "", frames });
  return [
    { name: "proposal", samples: [proposal], read: (bytes) => void parts.decodeProposal(bytes) },
    { name: "answer", samples: [answer], read: (bytes) => void parts.decodeAnswer(bytes) },
  ];
}

/** What workers tell each other of choices, and the token that names one. */
function reportTargets(): FuzzTarget[] {
  const kinds = ["reward", "shown", "cancel"] as const;
  const reports = kinds.map((kind) => ({ kind, token: "AQ", value: 1, taken: 1e12 }));
  const token = parts.writeToken({ chooser: "peer-1", id: "0123456789abcdef", expires: 1e12 }, new Uint8Array(32));
  return [
    { name: "reports", samples: [parts.encodeReports(reports)], read: (bytes) => void parts.decodeReports(bytes) },
    {
      name: "answers to reports",
      samples: [parts.encodeReportAnswers(["learned", "expired", "noted"])],
      read: (bytes) => void parts.decodeReportAnswers(bytes, 3),
    },
    {
      name: "token",
      samples: [new TextEncoder().encode(token)],
      read: (bytes) => void parts.readToken(String.fromCharCode(...bytes)),
    },
  ];
}

function membershipTargets(): FuzzTarget[] {
  const claim = { id: "peer-1", addresses: ["/memory"], incarnation: 3, heartbeat: 4, serves: true, leaving: false };
  const bytes = parts.encodeClaim(claim);
  const news = [1, 2].map((ageMs) => ({ ageMs, entry: { claim, bytes, signature: new Uint8Array(64) } }));
  const token = new Uint8Array(32);
  const hello = parts.encodeGreeting({ kind: "hello", keyed: true, room: token, agreement: token, nonce: token });
  return [
    { name: "claim", samples: [bytes], read: (it) => void parts.decodeClaim(it) },
    {
      name: "request header",
      samples: [parts.requests.encode({ kind: "exchange", news })],
      read: (it) => void parts.requests.decode(it),
    },
    {
      name: "response header",
      samples: [parts.responses.encode({ kind: "answer", news })],
      read: (it) => void parts.responses.decode(it),
    },
    { name: "greeting", samples: [hello], read: (it) => void parts.decodeGreeting(it) },
  ];
}

/** A record of the store, by itself and as all there is on a disk: damage is told, never thrown. */
function storeTarget(): FuzzTarget {
  const record = {
    role: "entry",
    more: false,
    incarnation: 1,
    sequence: 1,
    previous: new Uint8Array(16),
    kind: "observe",
    body: new Uint8Array(24).fill(7),
  } as const;
  const { bytes } = parts.writeStoreRecord(record, parts.sha256);
  return {
    name: "store record",
    samples: [bytes],
    read(it) {
      parts.readStoreRecord(it, parts.sha256);
      const pairs = new Map([["log/00000000000001", it]]);
      parts.recover({ pairs, witness: it, fault: null, known: true, incarnation: 1 }, parts.sha256);
    },
  };
}

/** Every decoder that reads what others, or a disk, or a file bring. */
export function targets(): FuzzTarget[] {
  const policies = [dcb({ delay: { rounds: 4 } }), dccb({ delay: { rounds: 4 } }), kindred(), roundRobin()];
  return [
    ...policies.map(offerTarget),
    ...policies.slice(0, 3).map(snapshotTarget),
    ...exchangeTargets(),
    ...reportTargets(),
    ...membershipTargets(),
    storeTarget(),
    ...savedTargets(dccb({ delay: { rounds: 4 } })),
    ...savedTargets(kindred()),
    ledgerTarget(),
    journalTarget(),
    jsonTarget("trace", [TRACE], parseTrace),
  ];
}
