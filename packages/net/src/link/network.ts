import type { PeerId } from "@coterie/core";
import type { Node } from "../node/node.ts";
import type { Link } from "./link.ts";

/**
 * A peer's place among others: its name there, a way to talk, and who is alive. What is said, to whom and when is decided
 * elsewhere. A network need not compare agreements: every proposal carries its own.
 */
export interface Network {
  /** Its own name; lasts as long as its key does. */
  readonly self: PeerId;
  readonly link: Link;
  /** Those believed alive, without itself, in a fixed order. */
  alive(): readonly PeerId[];
  /** Calls back when somebody joins or is given up; returns a way to stop that. */
  onMembers(changed: (event: { readonly kind: "joined" | "left"; readonly peer: PeerId }) => void): () => void;
  close(): Promise<void>;
}

/** What a network needs to know of the room it joins. */
export interface Room {
  readonly name: string;
  /** What members must agree on: a digest of room, features, policy and version. */
  readonly agreement: string;
  /** Who joins, where it has a key: a network whose names are keys takes it under this name. */
  readonly identity?: { readonly id: PeerId; readonly seed: Uint8Array } | undefined;
  /** Ends the joining; what has been joined is closed with `close`. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of members with another agreement: one, or a hub that knows so many. A network that cannot tell says nothing. */
  readonly onMisfit?: ((who: PeerId, count: number) => void) | undefined;
  /** @internal The node of whoever joins; a network whose members gossip drives the same one. */
  readonly node?: Node | undefined;
}

/** Takes a peer's place in a room: what `network` of `createPeer` is. */
export interface NetworkFactory<N extends Network = Network> {
  (room: Room): Promise<N>;
  /** Whether everybody who knows the room's name may join; not when left out. */
  readonly open?: boolean;
}
