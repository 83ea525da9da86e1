/** When a node calls whom, each with its reason. Times in ms. */

/** Bootstrap addresses when lonely: soon, then less often; and now and then anyway, so that islands merge. */
export const LONELY_FIRST_MS = 500;
export const LONELY_MOST_MS = 15_000;
export const BOOTSTRAP_AGAIN_MS = 60_000;

/** Of the addresses that answered before the last start, those called at a time. */
export const PLACES_AT_ONCE = 4;

/** Rounds of gossip after the start that come quickly, so that a newcomer is known in a second. */
export const BURST_ROUNDS = 6;
export const BURST_ROUND_MS = 120;

/**
 * Every so many rounds anybody is called, connected or not: often enough that no two groups lose sight of each other. Not by a peer that
 * has connected to somebody through a hub since: that costs the hub as much as ten swaps, and exchanges do it anyway.
 */
export const ROAM_EVERY = 8;

/** A peer that is reached through a hub is dialled without it no more often than this. */
export const IMPROVE_MS = 30_000;
export const MOST_IMPROVED = 256;

/** A connection used this recently is not closed to make room: somebody is about to use it again. */
export const RECENT_MS = 2000;

/** Somebody slow must not stop the rounds, nor may rounds pile up behind it. */
export const MOST_UNDER_WAY = 3;

/** A host at which no peer ever answered is dialled so often, and then once each time this has passed. */
export const MOST_DIALS = 2;
export const NO_DIAL_MS = 600_000;
/** Hosts of our own private network that are dialled within that time on the word of somebody outside, and did not answer. */
export const MOST_INSIDE = 4;
/** Of the names that one introducer brings, so many are dialled at once, and one more each time this has passed. */
export const DIALS_PER_INTRODUCER = 16;
export const DIAL_BUDGET_MS = 4000;

/** Connections that others may make from one address prefix; and where names from there were of no use, those we know apart. */
export const INBOUND_PER_PREFIX = 32;
export const INBOUND_IN_DOUBT = 4;

/** Those who are told that we go: more would be too late. */
export const FAREWELLS = 4;

/** Where others answered is looked at this often, and written down where it has changed. */
export const REMEMBER_MS = 2000;

/** A hub is called this often: it introduces only those it hears of. */
export const HUB_AGAIN_MS = 10_000;

/** A hub that takes longer to answer is not waited for alone: the next of the list is called as well. */
export const HUB_HEDGE_MS = 1500;

/** How often a peer that keeps to another hub than the first of its list looks whether that one is back. */
export const HUB_HOME_MS = 60_000;

/** How long the answers of a tick are waited for, and that to any other request; without one an exchange is in doubt. */
export const ANSWER_MS = 10_000;
