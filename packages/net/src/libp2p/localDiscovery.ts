import { type PeerDiscovery, type PeerInfo, peerDiscoverySymbol } from "@libp2p/interface";
import { peerIdFromString } from "@libp2p/peer-id";
import { CODE_P2P, type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { hostOf, scopeOf } from "../membership/prefix.ts";
import { type DnsAnswer, type DnsPacket, type MulticastDns, openMulticast } from "./multicast.ts";

const ASK_MS = 10_000;
/** What is said is forgotten after so many seconds. */
const TTL = 120;
/** Of a text in DNS. */
const LONGEST = 255;
const PREFIX = "dnsaddr=";

/** What a peer of the local network says to whoever asks for `tag`: under which name it is, and where. */
export function answerOf(tag: string, name: string, addresses: readonly string[]): DnsPacket {
  const places = addresses.filter((it) => isLocal(it) && PREFIX.length + it.length <= LONGEST);
  const texts = places.map((it) => ({ name: `${name}.${tag}`, type: "TXT", ttl: TTL, data: `${PREFIX}${it}` }));
  return { answers: [{ name: tag, type: "PTR", ttl: TTL, data: `${name}.${tag}` }, ...texts] };
}

/** Whom such an answer is of; null where it is of another room, our own, or cannot be read. */
export function foundIn({ answers = [], additionals = [] }: DnsPacket, tag: string, name: string): PeerInfo | null {
  const isOther = ({ type, name: of, data }: DnsAnswer): boolean =>
    type === "PTR" && of === tag && typeof data === "string" && data !== `${name}.${tag}`;
  if (!answers.some(isOther)) return null;
  try {
    const multiaddrs = [...answers, ...additionals].filter(({ type }) => type === "TXT").flatMap(addressesIn);
    const names = multiaddrs[0]?.getComponents().filter(({ code }) => code === CODE_P2P) ?? [];
    const id = names.at(-1)?.value;
    if (id === undefined) return null;
    return { id: peerIdFromString(id), multiaddrs: multiaddrs.map((it) => it.decapsulateCode(CODE_P2P)) };
  } catch {
    return null;
  }
}

/** Only what a local network can use is said there. */
function isLocal(address: string): boolean {
  const host = hostOf(address);
  return host !== null && scopeOf(host) !== "everywhere";
}

function addressesIn({ data }: DnsAnswer): Multiaddr[] {
  const texts = (Array.isArray(data) ? data : [data]).map((piece) => String(piece));
  return texts.filter((text) => text.startsWith(PREFIX)).map((text) => multiaddr(text.slice(PREFIX.length)));
}

/** What of libp2p it needs. */
export interface DiscoveryComponents {
  readonly addressManager: { getAddresses(): Multiaddr[] };
}

/**
 * Finds peers of a room on the local network by multicast DNS, as libp2p's specification of it says. `tag` names the room. A network
 * without multicast finds nobody and does no harm, but `failed` is told why: once, and again where it had worked since.
 */
export class LocalDiscovery extends EventTarget {
  readonly [Symbol.toStringTag] = "local-discovery";
  readonly #name = crypto.randomUUID();
  #socket: MulticastDns | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #works = true;

  constructor(
    readonly components: DiscoveryComponents,
    readonly tag: string,
    readonly failed: (message: string) => void,
    readonly openSocket: () => MulticastDns = openMulticast,
  ) {
    super();
  }

  /** How libp2p knows one; of its events only `peer` is ever sent. */
  get [peerDiscoverySymbol](): PeerDiscovery {
    return this as unknown as PeerDiscovery;
  }

  start(): void {
    const socket = this.openSocket();
    this.#socket = socket;
    socket.on("query", ({ questions = [] }: DnsPacket) => {
      const addresses = this.components.addressManager.getAddresses().map(String);
      if (addresses.length > 0 && questions.some(({ name }) => name === this.tag)) {
        socket.respond(answerOf(this.tag, this.#name, addresses));
      }
    });
    socket.on("response", (packet: DnsPacket) => {
      const detail = foundIn(packet, this.tag, this.#name);
      if (detail !== null) this.dispatchEvent(new CustomEvent("peer", { detail }));
    });
    // What others say wrong, or one of several interfaces that cannot do it.
    socket.on("warning", () => {});
    const told = (error: Error | null): void => this.#note(error);
    socket.on("error", told);
    const ask = (): void =>
      socket.query({ questions: [{ name: this.tag, type: "PTR" }] }, (error) => told(error ?? null));
    ask();
    this.#timer = setInterval(ask, ASK_MS);
  }

  #note(error: Error | null): void {
    if (this.#socket === null) return;
    if (error !== null && this.#works) this.failed(error.message);
    this.#works = error === null;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) await new Promise<void>((resolve) => socket.destroy(resolve));
  }
}
