/** Bounds of the network, each with its reason. Times in ms. */

export const PROTOCOL = "/coterie/exchange/1.0.0";

/** A body of d = 200 with 20 slots has 3.2 MB. */
export const MESSAGE_BYTES = 4 * 1024 * 1024;

/** A header is at most 32 entries of some 250 bytes; this leaves each its largest size. */
export const HEADER_BYTES = 72 * 1024;

/** A greeting has about 100 bytes, and strangers get no more room than that. */
export const GREETING_BYTES = 256;

/** From a dial to a connection. Longer than a busy machine takes for Noise, shorter than a person waits. */
export const DIAL_MS = 5000;

/** The same where there is another way: one that leads nowhere must not use up the time of a round of gossip. */
export const DIRECT_DIAL_MS = 1500;

/** A peer that is reached through a hub is dialled without it no more often than this. */
export const IMPROVE_MS = 30_000;
export const MOST_IMPROVED = 256;

/** For the whole greeting. */
export const GREETING_MS = 5000;

/** From a request to its response, the other side's disk included. */
export const REQUEST_MS = 10_000;

/** A round of gossip carries little; who needs longer is as good as silent. */
export const GOSSIP_MS = 3000;

/** For one body to arrive, and for one response to be taken: slower ones only hold memory. */
export const FRAME_MS = 10_000;

/** A stream on which nothing was asked for this long is closed; the next request opens another. */
export const IDLE_MS = 120_000;

/** Dials at a time, of one peer and of all in a process: more of them time out together. */
export const PARALLEL_DIALS = 3;
export const DIALS_AT_ONCE = 6;

/** From the wish for a connection to one, waiting in line included. */
export const CONNECT_MS = 15_000;

/** Connections kept, unless told otherwise: 0.15 MB each end, and gossip over a random graph of 6 is quick. */
export const CONNECTIONS = 6;

/** A connection used this recently is not closed to make room: somebody is about to use it again. */
export const RECENT_MS = 2000;

/** Streams that one peer may have open towards us: one per connection, and one that is being replaced. */
export const STREAMS_PER_PEER = 4;

/** Bodies of the largest size that may be on our hands together, from all callers. */
export const BODIES_AT_ONCE = 16;

/** Requests that a peer may make at once and per second; ticks are seconds apart, so this is generous. */
export const REQUEST_BURST = 1000;
export const REQUESTS_PER_SECOND = 100;

/** A peer that refused us, or that we refused, is left alone for this long. */
export const REFUSED_MS = 60_000;

/** Bootstrap addresses when lonely: soon, then less often; and now and then anyway, so that islands merge. */
export const LONELY_FIRST_MS = 500;
export const LONELY_MOST_MS = 15_000;
export const BOOTSTRAP_AGAIN_MS = 60_000;

/** Rounds of gossip after the start that come quickly, so that a newcomer is known in a second. */
export const BURST_ROUNDS = 6;
export const BURST_ROUND_MS = 120;

/** Every so many rounds of gossip somebody doubtful is tried. */
export const PROBE_EVERY = 4;

/** Every so many rounds anybody is, connected or not: often enough that no two groups lose sight of each other. */
export const ROAM_EVERY = 16;

/** For saying goodbye, and for libp2p to stop: together under 2 s. */
export const GOODBYE_MS = 300;
export const STOP_MS = 1200;

/** A peer tells a hub about itself this often; whoever missed several of these is no longer introduced. */
export const HUB_AGAIN_MS = 10_000;
export const GUEST_MS = 45_000;

/** A reservation is renewed five minutes before it ends, so it must last longer; it ends with the connection anyway. */
export const RESERVATION_MS = 30 * 60_000;

/** Circuits through a hub at once. */
export const CIRCUITS = 4096;

/** What one peer may have relayed at once, and per second, over all of its circuits: large exchanges every few seconds. */
export const CIRCUIT_BYTES = 64 * 1024 * 1024;
export const CIRCUIT_BYTES_PER_SECOND = 2 * 1024 * 1024;
