// DCB and DCCB once more, small and slow, with a switch for each point that the paper lets one read in two ways.
// As specified (no switch thrown) it does what the library does, bit for bit; paper-readings.mjs checks that first.
import { Local } from "@coterie/core";
import { Ball, Chooser, distance, log2, Pairer, radiusAt, Statistics, thresholdAt } from "@coterie/core/internal";

/** t − τ(t) with the exponent of |V| and the factor free. */
export const delay =
  (exponent, factor = 4) =>
  (t, peers) =>
    factor * (exponent * log2(peers) + log2(t));

export const AS_SPECIFIED = {
  clustering: true,
  radius: { kind: "practical", alpha: 0.3 },
  threshold: { kind: "practical", factor: 2 },
  /** t − τ(t): what a buffer may hold after round t. */
  limit: delay(0),
  /** A promoted slot counts this many times: "sum" the size of the neighbourhood, "mean" once. */
  weight: "sum",
  pairing: "neighbours",
  /** What a mixing peer does with its partner's active pair: "none", "add" (the text), "halve". */
  activeSharing: "none",
  /** Local estimates are compared without this round's observation, or "after" it. */
  tested: "before",
  /** Where a reset puts the local pair: "both" (published), the "slot" alone or the "active" pair alone. */
  resetInto: "both",
  /** The reset slot is multiplied by the size of the neighbourhood (the proofs). */
  resetScaled: false,
  /** The prune branch appends this round's slot too. */
  resetAppends: true,
  /** A reset by another peer stands, even if this peer's own turn in the loop comes later. */
  resetWins: true,
};

export class Model {
  rounds = 0;
  /** Slots averaged, and how many of them with a slot of another round. */
  averaged = 0;
  misplaced = 0;

  constructor(reading, dimension, peers, random) {
    this.reading = { ...AS_SPECIFIED, ...reading };
    this.dimension = dimension;
    this.peers = peers;
    this.random = random.fork("pairing");
    this.chooser = new Chooser(dimension);
    this.pairer = new Pairer(peers);
    this.choices = new Int32Array(peers);
    this.members = Array.from({ length: peers }, () => ({
      local: new Local(dimension),
      active: new Statistics(dimension),
      /** How many I are in the active gram. */
      ridge: 1,
      ball: new Ball(dimension),
      slots: [],
      pruned: new Set(),
    }));
  }

  near = (i, j) => !this.members[i].pruned.has(j);

  round(offered) {
    this.rounds += 1;
    const { members, reading } = this;
    const seen = members.map((peer, i) => this.#choose(peer, i, offered));
    const partners = this.#partners();
    if (reading.tested === "after")
      members.forEach((peer, i) => {
        observe(peer, seen[i]);
      });
    const outcomes = members.map((_, i) => this.#judge(i, partners[i]));
    this.#mix(outcomes, partners);
    const reset = this.#prune(outcomes, partners);
    if (reading.tested !== "after" && reading.resetAppends)
      members.forEach((peer, i) => {
        observe(peer, seen[i]);
      });
    members.forEach((peer, i) => {
      this.#close(peer, seen[i], reset.get(i));
    });
    if (reading.tested !== "after" && !reading.resetAppends)
      members.forEach((peer, i) => {
        observe(peer, seen[i]);
      });
    for (const { local } of members) local.show();
  }

  #choose(peer, i, offered) {
    const arms = offered.arms(i);
    const radius = radiusAt(this.reading.radius, this.rounds, peer.ball.factor);
    const arm = this.chooser.pick("optimistic", peer.ball, radius, arms);
    this.choices[i] = arm;
    return { x: arms.values.slice(arm * this.dimension, (arm + 1) * this.dimension), r: offered.pay(i, arm) };
  }

  #partners() {
    const partners = new Int32Array(this.peers);
    const random = this.random.fork(this.rounds);
    if (this.reading.pairing === "neighbours") this.pairer.neighbours(partners, random, this.near);
    else if (this.reading.pairing === "respecting") respecting(partners, random, this.near);
    else this.pairer[this.reading.pairing](partners, random);
    return partners;
  }

  #judge(i, j) {
    if (i === j) return "alone";
    if (!this.reading.clustering) return "mix";
    if (!this.near(i, j)) return "stranger";
    const [mine, theirs] = [this.members[i], this.members[j]];
    const shown = ({ local }) => (this.reading.tested === "after" ? local.ball.estimate : local.shown);
    const count = ({ local }) => (this.reading.tested === "after" ? local.statistics.count : local.shownCount);
    const limit = thresholdAt(this.reading.threshold, count(mine), count(theirs), this.rounds, this.dimension);
    if (distance(shown(mine), shown(theirs)) > limit) return "prune";
    const same = mine.pruned.size === theirs.pruned.size && [...mine.pruned].every((peer) => theirs.pruned.has(peer));
    return same ? "mix" : "keep";
  }

  /** Everybody reads everybody as before the round: what is new is written beside what is old, and swapped at the end. */
  #mix(outcomes, partners) {
    const { members, reading } = this;
    const before = members.map(({ active, ridge }) => ({ active: active.slot.slice(), ridge }));
    const mixing = members.map((peer, i) => [peer, partners[i]]).filter((_, i) => outcomes[i] === "mix");
    for (const [peer, j] of mixing) {
      peer.slots.forEach((slot, k) => {
        this.#mean(slot, members[j].slots[k]);
      });
      if (reading.activeSharing !== "none") shareActive(peer, before[j], reading.activeSharing === "halve" ? 0.5 : 1);
    }
    for (const [peer] of mixing) {
      for (const slot of peer.slots) [slot.values, slot.spare] = [slot.spare, slot.values];
    }
  }

  /** spare = ½ (values + other's values); a slot that the partner lacks counts as zeros. */
  #mean(slot, other) {
    this.averaged += 1;
    if (other !== undefined && other.round !== slot.round) this.misplaced += 1;
    const { values, spare } = slot;
    for (let k = 0; k < values.length; k++) spare[k] = 0.5 * (values[k] + (other === undefined ? 0 : other.values[k]));
  }

  /** Parts peers; returns for each reset peer whether the reset stands or is overwritten later in the loop. */
  #prune(outcomes, partners) {
    const reset = new Map();
    outcomes.forEach((outcome, i) => {
      if (outcome !== "prune") return;
      const j = partners[i];
      this.members[i].pruned.add(j);
      this.members[j].pruned.add(i);
      reset.set(i, "stands");
      if (reset.get(j) !== "stands") {
        const later = j > i && outcomes[j] !== "prune";
        reset.set(j, this.reading.resetWins || !later ? "stands" : "overwritten");
      }
    });
    return reset;
  }

  #close(peer, { x, r }, reset) {
    const { reading, dimension: d, rounds: t } = this;
    const size = this.peers - peer.pruned.size;
    const fresh = new Statistics(d);
    fresh.add(x, 0, r);
    const full = peer.slots.length + 1 > reading.limit(t, this.peers);
    const standing = reset === "stands";
    if (standing) this.#reset(peer, size);
    // To the letter of the loop, promotion starts from the active pair of before the round and undoes the reset.
    if (reset === "overwritten" && !full) this.#resetActive(peer);
    if (!standing) peer.slots.push(slotOf(t, fresh.slot));
    let promoted = false;
    if (peer.slots.length > reading.limit(t, this.peers)) {
      const { values } = peer.slots.shift();
      const weight = reading.weight === "sum" ? size : 1;
      for (let k = 0; k < values.length; k++) peer.active.slot[k] += weight * values[k];
      promoted = true;
    }
    if (promoted || reset !== undefined || peer.changed) refresh(peer, d);
    peer.changed = false;
  }

  #reset(peer, size) {
    const { reading, dimension: d, rounds: t } = this;
    const zeros = peer.slots.map(({ round, values }) => slotOf(round, new Float64Array(values.length)));
    const values = peer.local.statistics.slot.slice();
    if (reading.resetInto === "both") for (let i = 0, at = 0; i < d; at += i + 2, i++) values[at] += 1;
    if (reading.resetInto === "active") values.fill(0);
    if (reading.resetScaled)
      values.forEach((value, k) => {
        values[k] = size * value;
      });
    peer.slots = [...(reading.resetAppends ? zeros : zeros.slice(0, -1)), slotOf(t, values)];
    this.#resetActive(peer);
  }

  #resetActive(peer) {
    peer.ridge = 1;
    if (this.reading.resetInto === "slot") peer.active.clear();
    else peer.active.copyFrom(peer.local.statistics);
  }
}

const slotOf = (round, values) => ({ round, values, spare: new Float64Array(values.length) });

function shareActive(peer, theirs, factor) {
  peer.ridge = factor * (peer.ridge + theirs.ridge);
  const { slot } = peer.active;
  for (let k = 0; k < slot.length; k++) slot[k] = factor * (slot[k] + theirs.active[k]);
  peer.changed = true;
}

const observe = ({ local }, { x, r }) => local.observe(x, 0, r);

function refresh({ ball, active, ridge }, d) {
  if (ridge === 1) return ball.refresh(active.slot);
  const slot = active.slot.slice();
  for (let i = 0, at = 0; i < d; at += i + 2, i++) slot[at] += ridge - 1;
  ball.refresh(slot);
}

/** A uniform permutation among those with σ(i) in i's neighbourhood: a long walk of allowed transpositions. */
function respecting(partners, random, near) {
  const peers = partners.length;
  for (let i = 0; i < peers; i++) partners[i] = i;
  for (let step = 0; step < 20 * peers; step++) {
    const [a, b] = [random.below(peers), random.below(peers)];
    const [x, y] = [partners[a], partners[b]];
    if ((a === y || near(a, y)) && (b === x || near(b, x))) [partners[a], partners[b]] = [y, x];
  }
}
