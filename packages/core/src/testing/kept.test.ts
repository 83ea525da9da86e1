import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.ts";
import { LOG_VERSION } from "../evaluate/entry.ts";
import { parseLog } from "../evaluate/line.ts";
import { PeerFleet } from "../fleet/peers.ts";
import { Random } from "../numbers/random.ts";
import type { Policy } from "../peer/learner.ts";
import { fromSnapshot, snapshot } from "../peer/snapshot.ts";
import { parsePolicy } from "../policies/parse.ts";
import { parseTrace, TRACE_VERSION } from "../replay/trace.ts";
import { refusal } from "./refused.ts";
import { smallWorld } from "./small-world.ts";

const FIXTURES = new URL("./fixtures/", import.meta.url);

/** The text of a file that is kept. A version that is new is written down now, and the test fails until that is committed. */
function kept(name: string, make: () => string): string {
  const file = new URL(name, FIXTURES);
  if (!existsSync(file)) {
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(file, make());
    throw new Error(`${name} is written for this new version: commit it, and keep those of earlier versions`);
  }
  return readFileSync(file, "utf8");
}

const POLICIES = [
  { kind: "solo" },
  { kind: "dcb", delay: { rounds: 3 } },
  { kind: "dccb", delay: { rounds: 3 }, sharing: "mutual", guard: true, forgive: 1.5 },
  { kind: "kindred" },
];
const PEERS = 4;
const DIMENSION = 3;

interface KeptSnapshot {
  readonly policy: { readonly kind: string };
  readonly id: string;
  readonly round: number;
  readonly estimate: readonly number[];
  readonly bytes: string;
}

function made(given: { readonly kind: string }): KeptSnapshot {
  const policy = parsePolicy("policy", given) as Policy;
  const fleet = new PeerFleet({ policy, dimension: DIMENSION, peers: PEERS, random: Random.seeded(21) }, policy);
  const world = smallWorld({ seed: 3, peers: PEERS, dimension: DIMENSION, clusters: 2 });
  for (let round = 1; round <= 20; round++) fleet.round(world(round));
  const { config } = fleet.members[1]!;
  const bytes = snapshot(fleet.members[1]!);
  // As it goes on: kindred estimates anew when it is asked.
  const { round, learner } = fromSnapshot(config, bytes);
  const estimate = [...learner.view.estimate];
  return { policy: given, id: config.id, round, estimate, bytes: Buffer.from(bytes).toString("base64") };
}

/** What decides whether a snapshot is read: the version of all of them, and the layout of what the policy writes. */
const nameOf = (bytes: Uint8Array, { kind, layout = 1 }: Policy): string =>
  `${kind}-${new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true)}.${layout}.json`;

describe("snapshots of every version are kept", () => {
  it.each(POLICIES)("and of the present one too: $kind", (given) => {
    const now = made(given);
    const name = nameOf(Buffer.from(now.bytes, "base64"), parsePolicy("policy", given) as Policy);
    expect(JSON.parse(kept(`snapshots/${name}`, () => `${JSON.stringify(now)}\n`))).toMatchObject({ policy: given });
  });

  it.each(readdirSync(new URL("snapshots/", FIXTURES)))(
    "and %s is read, or refused where the policy has another layout since",
    (name) => {
      const was: KeptSnapshot = JSON.parse(readFileSync(new URL(`snapshots/${name}`, FIXTURES), "utf8"));
      const policy = parsePolicy("policy", was.policy) as Policy;
      const bytes = Buffer.from(was.bytes, "base64");
      const config = { id: was.id, dimension: DIMENSION, peers: PEERS, policy };
      // A store has the peer's heritage beside the snapshot, and goes on from that.
      if (!name.endsWith(`.${policy.layout ?? 1}.json`)) {
        expect(refusal(ConfigError, () => fromSnapshot(config, bytes)).field).toBe("snapshot: config");
        return;
      }
      const peer = fromSnapshot(config, bytes);
      expect([peer.round, [...peer.learner.view.estimate]]).toEqual([was.round, was.estimate]);
      expect(Buffer.from(snapshot(peer)).equals(bytes)).toBe(true);
    },
  );
});

describe("traces of every version are kept", () => {
  const folder = new URL("traces/", FIXTURES);
  const traces = readdirSync(folder).filter((name) => !name.endsWith(".expected.json"));
  const read = (name: string): Record<string, unknown> => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

  it("and of the present one too; replay.test.ts replays them all", () => {
    expect(traces.map((name) => read(name).version ?? 1)).toContain(TRACE_VERSION);
  });

  it("one of a version to come is refused", () => {
    const trace = read("solo.json");
    expect(parseTrace({ ...trace, version: TRACE_VERSION })).toEqual(parseTrace(trace));
    expect(() => parseTrace({ ...trace, version: TRACE_VERSION + 1 })).toThrow(
      `version must be ${TRACE_VERSION}, which is read here, but is ${TRACE_VERSION + 1}`,
    );
  });
});

it("decision logs of every version are kept, and read", () => {
  const head = { version: LOG_VERSION, id: "a", at: 1_780_000_000_000 } as const;
  const items = [{ name: "tea", x: { warm: 1 } }, { x: { cold: 0.5 } }];
  const choice = { ...head, kind: "choice", peer: "p", variant: "b", unit: "u", slate: "s", items, chosen: 1 };
  const lines = [
    { ...choice, propensity: 0.25, propensities: [0.75, 0.25], would: 0 },
    { ...head, kind: "reward", reward: 0.5 },
    { ...head, id: "b", kind: "expired", reward: null },
  ];
  kept(`decisions/${LOG_VERSION}.jsonl`, () => `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  for (const name of readdirSync(new URL("decisions/", FIXTURES))) {
    const entries = parseLog(readFileSync(new URL(`decisions/${name}`, FIXTURES), "utf8"));
    expect(entries.map(({ kind }) => kind)).toEqual(["choice", "reward", "expired"]);
    expect(entries[0]).toMatchObject({ id: "a", items, chosen: 1, propensity: 0.25 });
  }
});
