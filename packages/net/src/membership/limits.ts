/** Times and sizes of the membership, each with its reason. Times in ms of whatever clock the host hands in. */

/**
 * Entries that a peer holds of others. Up to here everybody knows everybody. Random views of 32 hold a room of 30,000
 * together with churn of 1 % a second; twice as many would hold more that are dead, because each is renewed half as often.
 */
export const VIEW_SIZE = 32;

/** Entries that each side of a swap sends, its own included. */
export const SWAP_SIZE = 12;

/** Between two swaps of a peer's own; in rooms with fewer than `SWAP_SIZE` others sooner, at the same cost. */
const SWAP_MS = 2000;
const LEAST_SWAP_MS = 500;

/** An entry is signed anew this often: the next swap passes on that its peer is there. */
export const REFRESH_MS = 2000;

/**
 * An entry this old is dropped. The living are told of every few seconds, so it is those who went without a word, out of
 * sight of all that this peer is connected to.
 */
export const EXPIRE_MS = 25_000;

/** A newer entry that says the same is not worth checking a signature for until it is newer by this. */
export const FRESH_MS = 3000;

/** Whoever answered us within this keeps its place in a full view: a dozen, by how often a peer calls. */
export const OWN_MS = 20_000;

/** Entries of those whose records came. */
export const KIN_SIZE = 16;
/** They are few and far between, and nobody else tells of them: an entry is kept longer. At 50 s, half of all calls that failed were to those. */
export const KIN_EXPIRE_MS = 40_000;

/** A grave is kept this long, as are the addresses in it: a room that was cut in two finds together again by them. */
export const GRAVE_MS = 600_000;
/**
 * What seems to have been signed this soon after its peer was buried was signed before: ages leave out how long messages
 * were on their way.
 */
export const GRAVE_SLACK_MS = 1000;
/** Whoever is buried is tried again after so long, then after four times that, and so on. */
export const FIRST_TRY_MS = 4000;
export const TRY_FACTOR = 4;

/** The room's size is estimated from who turned up within two windows of this length. */
export const CENSUS_MS = 15_000;

/** Partners that a swap may be under way with. */
export const MOST_SWAPS = 32;

/** Limits on everything that a stranger can make grow. */
export const MEMBERSHIP_LIMITS = {
  graves: 256,
  /** Entries in one message: a swap, or the origins of the records in an answer. */
  entries: 32,
  entryBytes: 2048,
  idLength: 64,
  addresses: 8,
  addressLength: 200,
} as const;

/** Between two rounds of gossip of a peer that knows so many others. */
export const roundMs = (known: number): number =>
  Math.max(LEAST_SWAP_MS, (SWAP_MS * Math.min(SWAP_SIZE, known + 1)) / SWAP_SIZE);
