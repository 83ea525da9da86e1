/** Lemma 4 of Szörényi et al. (2013), as the paper uses it: E (w − 1)² ≤ |V| / 2^age, age the rounds a slot was mixed. */
export const mixingBound = (peers: number, age: number): number => peers / 2 ** age;

/** Mean over holders and origins under a uniform permutation a round: (|V| − 1) / 2^age, exactly. */
export const permutationSpread = (peers: number, age: number): number => (peers - 1) / 2 ** age;
