/** One draw of who is alike, drawn on from round to round by collapsed Gibbs sampling. */
export class Chain {
  /** The concentration of the Chinese restaurant process. */
  #alpha = 1;
  /** By label: sums of what members have published, with the prior in them; how many they are; the value of the sums, where known. */
  #groups = new Map();

  /** `start` is the label of each peer's group. */
  constructor(ideal, random, start) {
    this.ideal = ideal;
    this.random = random;
    this.of = Int32Array.from(start);
  }

  /** The sums of the group of a peer. */
  sumsOf(peer) {
    return this.#groups.get(this.of[peer]).sums;
  }

  /** Members have seen more. */
  gather() {
    this.#groups.clear();
    for (let peer = 0; peer < this.of.length; peer++) this.#join(peer, this.of[peer]);
  }

  /** Draws the group of every peer anew, given those of all others. Tells the ideal what each would believe in each of its groups. */
  sweep() {
    const { known, fixed } = this.ideal;
    for (const peer of this.random.shuffle(Int32Array.from(this.of.keys()))) {
      const home = this.#leave(peer);
      if (fixed) {
        this.ideal.believe(peer, 1, home.sums);
        this.#join(peer, this.of[peer]);
        continue;
      }
      const ways = this.#waysFor(peer);
      this.#tell(peer, ways);
      this.#join(peer, this.#draw(ways).label ?? this.#unused());
    }
    if (!fixed && known === null) this.#drawAlpha();
  }

  /** The groups that a peer may belong to, and one of its own (without a label); each with its chance. */
  #waysFor(peer) {
    const { ideal } = this;
    const own = ideal.own[peer];
    const ways = [];
    for (const [label, group] of this.#groups) {
      group.value ??= ideal.value(group.sums);
      const prior = ideal.known === null ? group.size : 1;
      ways.push({ label, sums: group.sums, log: ideal.value(group.sums, own) - group.value + Math.log(prior) });
    }
    const empty = ideal.known === null ? this.#alpha : ideal.known - this.#groups.size;
    if (empty > 0) {
      ways.push({ sums: ideal.prior, log: ideal.value(ideal.prior, own) - ideal.nothing + Math.log(empty) });
    }
    return withChances(ways);
  }

  #tell(peer, ways) {
    const { ideal } = this;
    // As in kindred: belonging to nobody weighs as much as α and all others.
    const weight = ({ label }) => (ideal.doubt && label === undefined ? 1 + (this.of.length - 1) / this.#alpha : 1);
    const whole = ways.reduce((all, way) => all + way.chance * weight(way), 0);
    for (const way of ways) {
      const chance = (way.chance * weight(way)) / whole;
      if (chance > 0.001) ideal.believe(peer, chance, way.sums);
    }
  }

  #leave(peer) {
    const group = this.#groups.get(this.of[peer]);
    add(group.sums, this.ideal.published[peer], -1);
    group.size -= 1;
    group.value = null;
    if (group.size === 0) this.#groups.delete(this.of[peer]);
    return group;
  }

  #join(peer, label) {
    let group = this.#groups.get(label);
    if (group === undefined) {
      group = { sums: this.ideal.prior.slice(), size: 0, value: null };
      this.#groups.set(label, group);
    }
    add(group.sums, this.ideal.published[peer], 1);
    group.size += 1;
    group.value = null;
    this.of[peer] = label;
  }

  #unused() {
    let label = 0;
    while (this.#groups.has(label)) label += 1;
    return label;
  }

  /** ln α is uniform on a grid; K groups of m peers have the likelihood α^K Γ(α)/Γ(α + m). */
  #drawAlpha() {
    const peers = this.of.length;
    const ways = [];
    for (let alpha = 0.5; alpha <= 4 * peers ** 2; alpha *= 2) {
      let log = this.#groups.size * Math.log(alpha);
      for (let k = 0; k < peers; k++) log -= Math.log(alpha + k);
      ways.push({ alpha, log });
    }
    this.#alpha = this.#draw(withChances(ways)).alpha;
  }

  #draw(ways) {
    let left = this.random.uniform();
    for (const way of ways) {
      left -= way.chance;
      if (left < 0) return way;
    }
    return ways.at(-1);
  }
}

function add(sums, more, times) {
  for (let k = 0; k < sums.length; k++) sums[k] += times * more[k];
}

/** Fills in the chance of each way, in proportion to e^log. */
function withChances(ways) {
  const most = Math.max(...ways.map(({ log }) => log));
  let whole = 0;
  for (const way of ways) {
    way.chance = Math.exp(way.log - most);
    whole += way.chance;
  }
  for (const way of ways) way.chance /= whole;
  return ways;
}
