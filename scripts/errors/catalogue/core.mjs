export const title = "Core, driven by hand";
export const intro =
  "For those who step a peer themselves. `step` checks first: after a `ConfigError` the peer is as it was.";
export const entries = [
  {
    says: [
      "arms[{arm}] must have {dimension} features",
      "arms.count must be at least 1",
      "arms.values must hold {count} arms of {dimension} features",
      "{field}[{arm}][{i}] must be a finite number",
      "{field}[{arm}] must lie within the unit ball",
    ],
    cause: "Arms are not `count` vectors of the peer's dimension with a length of at most 1.",
    remedy: "Scale them: divide every arm by the longest one's length.",
  },
  {
    says: ["random must be given if the choice is thompson", "random must be given if the policy is random"],
    cause: "The choice draws, and core draws from nothing but what it is handed.",
    remedy: "Pass `random: Random.seeded(…)` with the input.",
  },
  {
    says: [
      "seed must be a whole number of at least 0",
      "bound must be a whole number from 1 to 2^32",
      "label must be a whole number of at least 0",
    ],
    cause: "A stream of random numbers was made, forked or asked with something else.",
    remedy: "Give a whole number.",
  },
  {
    says: [
      "partners must name {peers} peers",
      "partners[{i}] must lie from 0 to {value}",
      "partners[{i}] must be named once: partners are a permutation",
      "partner must be another peer",
    ],
    cause: "Who meets whom is no permutation of the peers, or a peer would meet itself.",
    remedy: "Draw them with `Pairer`.",
  },
  {
    says: [
      "clusters must name the cluster of {peers} peers",
      "present must include every peer: a ring cannot skip one",
    ],
    cause: "The fleet was told of other peers than it has, or a ring lacks some.",
    remedy: "Give one cluster for each peer; use a policy without a ring where peers come and go.",
  },
  {
    says: [
      "peers must be at least 2 for one to leave",
      "input.kind must be a known input",
      "reward must follow a choice that is still pending",
      "close must come after settle",
      "catch-up must come after settle",
    ],
    cause: "Inputs came in an order that no round has: choose, reward, meet, settle, close.",
    remedy: "Keep that order.",
  },
  {
    says: ["change must be used with a policy that can restart: kindred"],
    cause: "Peers of this policy share averages, from which what one of them has seen cannot be taken back.",
    remedy: "Use `kindred`, or begin with a new peer.",
  },
  {
    says: [
      "snapshot: magic must mark a peer's snapshot",
      "snapshot: version must be {VERSION}",
      "snapshot: config must be {config}",
      "snapshot: sums must be those of observations",
      "snapshot: layout must be the one that this policy writes",
      "heritage.sums must be those of observations",
      "snapshot: {field} must {bound}",
    ],
    cause: "The bytes are no snapshot, of another version, of a peer with another config, or were changed.",
    remedy: "Restore with the config that the snapshot was made with.",
  },
  {
    says: ["meet must not reach a peer that meets nobody", "to must be the offer of the reader"],
    cause: "A driver lets peers meet whose policy has no meetings, or encodes an offer without saying for whom.",
    remedy: "Look at `policy.pairing` first; pass the reader's offer.",
  },
  {
    says: ["exchange must be over before the next begins", "exchange must be in flight to be sent again"],
    cause: "The machine of exchanges was driven out of order.",
    remedy: "One proposal at a time; `PeerHost` keeps to it by itself.",
  },
];
