import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";

const world = (peers: number): object => ({
  kind: "clusters",
  name: `${peers} peers`,
  peers,
  clusters: 1,
  dimension: 5,
  arms: 10,
  noise: 0.5,
});

const policy = (pairing: string): object => ({ kind: "dcb", name: pairing, pairing, delay: { rounds: 20 } });

export const mixing: BuiltIn = {
  name: "mixing",
  title: "How fast gossip evens out, beside the lemma: the weights of a slot by its age",
  document: {
    name: "mixing",
    worlds: [world(8), world(32)],
    policies: [policy("permutation"), policy("matching"), policy("asynchronous")],
    rounds: 400,
    seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
  },
  figures,
};
