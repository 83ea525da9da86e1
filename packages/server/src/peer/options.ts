import { ConfigError, check, isCentral, type Policy, parsePolicy, policyKinds } from "@coterie/core";
import type { Libp2pOptions } from "@coterie/net";
import type { ExploreOptions, OnBadItem, RewardOptions } from "@coterie/net/internal";
import type { HttpAddress } from "../http/address.ts";
import type { LogLevel } from "../log/log.ts";
import type { FileFeatures } from "./features.ts";

/** What a headless peer is started with. */
export interface PeerProcessOptions {
  readonly room: string;
  /** The directory of its store. */
  readonly store: string;
  readonly http: HttpAddress;
  /** Callers of the HTTP API must bear it; null where only this machine gets there. */
  readonly token: string | null;
  readonly features: FileFeatures;
  readonly onBadItem?: OnBadItem;
  /** The SDK's default when left out. */
  readonly policy?: Policy;
  readonly network: Pick<Libp2pOptions, "bootstrap" | "hubs" | "tickets" | "listen" | "roomKey" | "mdns">;
  readonly reward?: RewardOptions;
  readonly explore?: ExploreOptions;
  readonly shadow?: boolean;
  readonly tickMs?: number;
  /** Where its decision log goes. */
  readonly decisionLog?: string;
  readonly logLevel: LogLevel;
  /** Ends the waiting while the peer is opened. */
  readonly signal?: AbortSignal;
}

/** Policies that peers of a network can run: with a centre or in a ring they cannot. */
const KINDS = policyKinds.filter((kind) => {
  const policy = parsePolicy("policy", { kind });
  return !isCentral(policy) && policy.pairing !== "ring";
});

/** A policy's name, or `{"kind": "dccb", …}` as JSON. */
export function readPolicy(field: string, text: string): Policy {
  const given = text.trimStart().startsWith("{") ? parseJson(field, text) : { kind: text };
  const { kind } = given as { kind?: unknown };
  check.oneOf(given === text || typeof kind !== "string" ? `${field}.kind` : field, kind, KINDS);
  const policy = parsePolicy(field, given as Record<string, unknown>);
  if (isCentral(policy)) throw new ConfigError(field, text, `be one of ${KINDS.join(", ")}`);
  return policy;
}

function parseJson(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(field, text, `be JSON, or one of ${KINDS.join(", ")}`);
  }
}
