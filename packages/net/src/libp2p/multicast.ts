import type { EventEmitter } from "node:events";
// @ts-expect-error Its types would bring those of Node into every project that installs us.
import open from "multicast-dns";

export interface DnsQuestion {
  readonly name: string;
  readonly type: string;
}

export interface DnsAnswer extends DnsQuestion {
  readonly ttl?: number;
  /** Of PTR a name; of TXT a text, or pieces of bytes. */
  readonly data?: unknown;
}

export interface DnsPacket {
  readonly questions?: readonly DnsQuestion[];
  readonly answers?: readonly DnsAnswer[];
  readonly additionals?: readonly DnsAnswer[];
}

/** Questions and answers that everybody on a local network hears: events `query`, `response`, `warning`, `error`. */
export interface MulticastDns extends EventEmitter {
  query(packet: DnsPacket, sent: (error?: Error | null) => void): void;
  respond(packet: DnsPacket): void;
  destroy(done: () => void): void;
}

/** The little of `multicast-dns` that is used here. */
export const openMulticast: () => MulticastDns = open;
