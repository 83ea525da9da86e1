import type { GossipEffect, MeetingEffect, NodeEffect, NodeEvent } from "./event.ts";
import type { Gossip, GossipConfig } from "./gossip.ts";
import type { Node } from "./node.ts";

/** Acts on effects. It begins at once, so that the order of effects is that of what they begin. */
type Perform<E> = (effect: E) => Promise<void>;

const DONE = Promise.resolve();
const NOBODY = async (): Promise<void> => {};

/** Every kind of effect that takes a network. */
const OF_GOSSIP: Readonly<Record<GossipEffect["kind"], true>> = {
  sign: true,
  call: true,
  contact: true,
  improve: true,
  close: true,
  drop: true,
  farewell: true,
  "round-in": true,
  joined: true,
  left: true,
};

/** Hands events to a node, and its effects to the drivers: a host, which has the disk, and a network, which has sockets. */
export class Runner {
  readonly node: Node;
  readonly #host: Perform<MeetingEffect>;
  readonly #onFailure: (error: unknown) => void;
  #network: Perform<GossipEffect> = NOBODY;
  #clock: () => number = () => performance.now();

  /** `onFailure` hears what goes wrong with what nobody waits for: to write down that somebody came. */
  constructor(node: Node, host: Perform<MeetingEffect> = NOBODY, onFailure: (error: unknown) => void = () => {}) {
    this.node = node;
    this.#host = host;
    this.#onFailure = onFailure;
  }

  /** A network takes its place, with a clock that never goes back. */
  enter(config: GossipConfig, clock: () => number, network: Perform<GossipEffect>): Gossip {
    this.#network = network;
    this.#clock = clock;
    return this.node.enter(config, clock());
  }

  /** Resolves when all that followed is done. */
  async feed(event: NodeEvent): Promise<void> {
    await this.perform(this.node.step(event, this.#clock()));
  }

  /** What a network has to tell. It does not answer for what the host makes of that. */
  async tell(event: NodeEvent): Promise<void> {
    const effects = this.node.step(event, this.#clock());
    await Promise.all(
      effects.map((effect) => (isOfGossip(effect) ? this.#network(effect) : this.#host(effect).catch(this.#onFailure))),
    );
  }

  /** The same where nobody waits for what follows: an event that leads to nothing costs no promise. */
  note(event: NodeEvent): void {
    for (const effect of this.node.step(event, this.#clock())) {
      if (isOfGossip(effect)) void this.#network(effect);
      else this.#host(effect).catch(this.#onFailure);
    }
  }

  /** Most steps lead to nothing or to one thing: that takes no promise of its own. */
  perform(effects: readonly NodeEffect[]): Promise<unknown> {
    if (effects.length === 0) return DONE;
    return effects.length === 1 ? this.#act(effects[0]!) : Promise.all(effects.map((effect) => this.#act(effect)));
  }

  #act(effect: NodeEffect): Promise<void> {
    return isOfGossip(effect) ? this.#network(effect) : this.#host(effect);
  }
}

const isOfGossip = (effect: NodeEffect): effect is GossipEffect => effect.kind in OF_GOSSIP;
