export const title = "Faults of Coterie itself";
export const intro = "These should never be seen.";
export const entries = [
  {
    says: ["broken invariant: {promise}", "a gram with a ridge has a factor"],
    cause: "A promise that Coterie makes to itself was broken; the state is not trusted any more, so it stops.",
    remedy: "Report it with the version, the seed and what was done. `COTERIE_DEBUG=1` adds where it happened.",
  },
  {
    says: [
      "a gossiping policy runs in peers",
      "a kernel stopped",
      "dcb is a policy of peers that meet",
      "{policy} needs a centre",
      "no peer was made yet",
      "not joined yet",
      "it is not open",
      "the transaction was aborted",
      "the circuit transport keeps its reservations elsewhere",
      "the WebSocket listener accepts connections elsewhere",
      "yamux makes its streams elsewhere",
    ],
    cause: "Parts of Coterie, or a dependency of another version, do not fit together.",
    remedy: "Report it, with the output of `npm ls`.",
  },
];
