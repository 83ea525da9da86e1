export const title = "What other peers do";
export const intro =
  "Never an error of the app: it is dropped, counted (`state().violations`, `coterie_violations_total`) and told as an event. A peer that goes on so is not chosen as a partner.";
export const entries = [
  {
    says: [
      "violation: truncated",
      "violation: too-long",
      "violation: out-of-range",
      "violation: not-finite",
      "violation: not-covariance",
    ],
    cause: "A message is cut off, longer than allowed, or holds numbers that no observations can have.",
    remedy:
      "Nothing, if rare. If one peer is behind all of them, find out what it runs; `peers: { deny: [name] }` keeps it away.",
  },
  {
    says: ["violation: version", "violation: mismatch"],
    cause: "The other side speaks another version of the protocol, or another policy or dimension under the same room.",
    remedy: "Bring all peers of a room to one version and the same options.",
  },
  {
    says: ["violation: equivocation"],
    cause:
      "A peer signed two different records with the same version: it cheats, or two copies of its store run at once.",
    remedy:
      "Nothing: it is dropped for good, and others are told. If it is a peer of yours, run one copy of its store only, and give it a new one: others believe that name no more.",
  },
  {
    says: ["violation: forged", "violation: forged-entry"],
    cause: "A signature is not that of the peer it names: somebody passes on records or entries that it made up.",
    remedy: "A room key keeps strangers out; `deny` keeps away a member that does this.",
  },
  {
    says: ["violation: leap"],
    cause: "A peer says that it is many rounds ahead of everybody else.",
    remedy: "Check that peer's `tick`; others ignore its round meanwhile.",
  },
  {
    says: ["violation: slow", "violation: flood", "violation: uninvited"],
    cause: "A peer holds a line without speaking, sends more than its share, or calls without having been greeted.",
    remedy: "Nothing, if rare: a bad line does the first. A peer that floods is cut off for a while.",
  },
  {
    says: ["refused: another-room"],
    cause: "The two are in rooms of different names.",
    remedy: "Give both the same `room`, if they belong together.",
  },
  {
    says: ["refused: another-agreement"],
    cause: "Same room, but another feature schema, policy, range of rewards or version.",
    remedy: "Make them alike; a peer with changed features belongs to a new room.",
  },
  {
    says: ["refused: room-key"],
    cause: "The room keys differ, or only one of the two has one.",
    remedy: "Give all members the same key.",
  },
  {
    says: ["refused: ticket"],
    cause: "The room asks for tickets, and the other peer has none, or one of a hub that this peer does not name.",
    remedy:
      "Give all members the same `hubs`; a peer without a ticket gets one when its hub has some left (docs/operate.md).",
  },
  {
    says: ["refused: another-version"],
    cause: "The other runs an earlier version, whose messages this one does not speak.",
    remedy: "Bring all members of a room, and their hubs, to the same version.",
  },
  {
    says: ["refused: overloaded"],
    cause: "The hub has reached one of its limits; it counts which in coterie_hub_overloads_total.",
    remedy:
      "Nothing: the peer goes on alone or at another hub, and tries again. The operator raises the limit or adds a hub (docs/operate.md).",
  },
  {
    says: [
      "no way to {to}: no link yet",
      "no address of {to} is known",
      "no way to {to}",
      "no way from {from} to {to}",
      "no way to {to}: this peer has no network",
      "the connection was cut",
      "no greeting",
    ],
    cause: "The other peer cannot be reached now: it is gone, or both are behind routers and share no hub.",
    remedy: "Nothing: another partner is chosen. If nobody is ever reached: `coterie doctor --bootstrap ADDRESS`.",
  },
  {
    says: [
      "no answer from {peer}: {message}",
      "no answer from {peer}: it failed",
      "no answer in time",
      "the answer of {to} to {from} was lost",
      "{to} could not answer",
      "{to} answers no exchanges",
    ],
    cause: "The other peer was reached and did not answer, so nobody knows whether the exchange took place.",
    remedy: "Nothing: it is asked again until that is known, and counted once.",
  },
  {
    says: ["the network is closed"],
    cause: "The peer is closing, and something was still under way.",
    remedy: "Nothing.",
  },
  {
    says: ["the process is gone"],
    cause: "A test of the compliance suite let a peer die while something was under way.",
    remedy: "Nothing.",
  },
];
