/** Bounds of the network, each with its reason. Times in ms. */

export const PROTOCOL = "/coterie/exchange/2.0.0";

/** Spoken before the view was bounded. Whoever speaks it is told that it is another version. */
export const EARLIER_PROTOCOL = "/coterie/exchange/1.0.0";

/** A stream of it says that the connection is closed to make room, and nothing else. */
export const PARTING = "/coterie/parting/1.0.0";
export const PARTING_MS = 1000;

/** A stream of it says that its peer goes, where there is no time for a signature: a page is being closed. */
export const GOODBYE = "/coterie/goodbye/1.0.0";

/** A body of d = 200 with 20 slots has 3.2 MB. */
export const MESSAGE_BYTES = 4 * 1024 * 1024;

/** A header is at most 32 entries of some 120 bytes; this leaves each its largest size. */
export const HEADER_BYTES = 72 * 1024;

/** A greeting has about 100 bytes, and strangers get no more room than that. */
export const GREETING_BYTES = 256;

/** From a dial to a connection. Longer than a busy machine takes for Noise, shorter than a person waits. */
export const DIAL_MS = 5000;

/** The same where there is another way: one that leads nowhere must not use up the time of a round of gossip. */
export const DIRECT_DIAL_MS = 1500;

/** For the whole greeting. */
export const GREETING_MS = 5000;

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

/**
 * Connections that an address prefix may begin at once, and in a second from then on. A handshake takes about 10 ms of a core, so a
 * caller that begins one after the other costs 2 % of it.
 */
export const ARRIVALS_AT_ONCE = 32;
export const ARRIVALS_PER_SECOND = 2;

/** A connection that had to be dropped counts as so many more of these; and how many may be owed: they are back after 8 s. */
export const DROPPED_COSTS = 4;
export const ARRIVALS_DEBT = 16;

/** Sockets that are turned away are closed after this, some of them; more at once would only take space. */
export const HELD_MS = 1000;
export const HELD_AT_ONCE = 64;

/**
 * A connection on which nothing came for this long is asked for a sign of life, and ended where none comes in time; and how often that is
 * looked at. Members and hubs say something every ten seconds, so those in use are never asked.
 */
export const SILENT_MS = 15_000;
export const PULSE_MS = 15_000;
export const LOOK_MS = 10_000;

/** Connections kept, unless told otherwise: 0.15 MB each end, and gossip over a random graph of 6 is quick. */
export const CONNECTIONS = 6;

/** Streams that one peer may have open towards us: one per connection, and one that is being replaced. */
export const STREAMS_PER_PEER = 4;

/** Bodies of the largest size that may be on our hands together, from all callers. */
export const BODIES_AT_ONCE = 16;

/** Requests that a peer may make at once and per second; ticks are seconds apart, so this is generous. */
export const REQUEST_BURST = 1000;
export const REQUESTS_PER_SECOND = 100;

/** A peer that refused us, or that we refused, is left alone for this long. */
export const REFUSED_MS = 60_000;

/** For saying goodbye, and for libp2p to stop: together under 2 s. */
export const GOODBYE_MS = 300;
export const STOP_MS = 1200;

/** Whoever missed several calls of those a hub hears regularly (`HUB_AGAIN_MS`) is no longer introduced, although connected. */
export const GUEST_MS = 45_000;

/** Peers that a hub names in one answer: with twelve drawn at random a room of any size is connected, and gossip does the rest. */
export const INTRODUCED = 12;

/** Between hubs of the same rooms: the protocol, how many guests one tells another of, and how often. */
export const HUB_PROTOCOL = "/coterie/hubs/1.0.0";
export const TRADED_AT_ONCE = 64;
export const TRADE_MS = 1000;

/** So many notices, each of its largest size. */
export const NOTICES_BYTES = 192 * 1024;

/** A hub that says nothing for this long is gone; and how long to wait before it is dialled again, at first and at most. */
export const HUB_SILENT_MS = 15_000;
export const HUB_BACKOFF_MS = [500, 15_000] as const;

/** A reservation is renewed five minutes before it ends, so it must last longer; it ends with the connection anyway. */
export const RESERVATION_MS = 30 * 60_000;

/** Connections beyond a hub's limit that it keeps for a moment, to say so; and for how long. */
export const DOORWAY = 64;
export const DOORWAY_MS = 5000;
