import type { Libp2pNetwork, PeerEvent, PeerState } from "@coterie/net";
import { REPORT_ANSWERS, type TokenAnswer, VERDICTS } from "@coterie/net/internal";
import { add, Metrics } from "./registry.ts";

/** Outcomes that are there from the first scrape on, so that a rate is never taken of nothing. */
const OUTCOMES = [...VERDICTS, "in-doubt", "given-up"] as const;
const RESULTS = ["learned", "duplicate", "expired", "cancelled", "dropped", "unknown", "queued", "observed"] as const;

export interface PeerSources {
  /** Null until the peer is open. */
  readonly state: () => PeerState | null;
  readonly network: () => Libp2pNetwork | null;
  readonly dimension: number;
}

/** What a peer counts for Prometheus. What others keep already is read from them; the rest is counted here. */
export class PeerMetrics extends Metrics {
  readonly #exchanges = new Map<string, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  readonly #rewards = new Map<string, number>(RESULTS.map((result) => [result, 0]));
  readonly #reports = new Map<string, number>(REPORT_ANSWERS.map((answer) => [answer, 0]));
  readonly #ended = { choices: 0, badItems: 0, dropped: 0, repairs: 0, failures: 0 };

  constructor(sources: PeerSources) {
    super();
    this.#countOwn();
    this.#readNetwork(sources);
    this.#readState(sources);
  }

  heard(event: PeerEvent): void {
    if (event.kind === "exchange") add(this.#exchanges, event.verdict);
    if (event.kind === "reported") add(this.#reports, event.answer);
    if (event.kind === "bad-item") this.#ended.badItems += 1;
    if (event.kind === "dropped") this.#ended.dropped += event.count;
    if (event.kind === "repaired" && !event.restored) this.#ended.repairs += 1;
    if (event.kind === "failure") this.#ended.failures += 1;
  }

  chose(count: number): void {
    this.#ended.choices += count;
  }

  rewarded(result: TokenAnswer | "observed"): void {
    add(this.#rewards, result);
  }

  #countOwn(): void {
    const ended = this.#ended;
    this.counters(
      "coterie_exchanges_total",
      "Exchanges by what came of them, begun here or by a partner.",
      "outcome",
      () => this.#exchanges,
    );
    this.counter("coterie_choices_total", "Choices made.", () => ended.choices);
    this.counter(
      "coterie_bad_items_total",
      "Items left out of a menu because they could not be encoded.",
      () => ended.badItems,
    );
    this.counter(
      "coterie_dropped_choices_total",
      "Choices dropped because more waited for a reward than are kept.",
      () => ended.dropped,
    );
    this.counters("coterie_rewards_total", "Rewards by what became of them.", "result", () => this.#rewards);
    this.counters(
      "coterie_reports_total",
      "Reports of other workers' choices by what their choosers made of them; expired: not back in time.",
      "answer",
      () => this.#reports,
    );
    this.counter("coterie_store_repairs_total", "Damaged stores repaired at a start.", () => ended.repairs);
    this.counter(
      "coterie_failures_total",
      "Things that went wrong in the background; the log has them.",
      () => ended.failures,
    );
  }

  #readNetwork({ network, state }: PeerSources): void {
    const traffic = (name: keyof Libp2pNetwork["traffic"]) => () => network()?.traffic[name] ?? 0;
    this.counter(
      "coterie_sent_bytes_total",
      "Bytes sent to peers: exchanges and news of the room.",
      traffic("sentBytes"),
    );
    this.counter("coterie_received_bytes_total", "Bytes received from peers.", traffic("receivedBytes"));
    this.counter(
      "coterie_exchange_sent_bytes_total",
      "Of the bytes sent, what exchanges said.",
      traffic("exchangeSentBytes"),
    );
    this.counter(
      "coterie_exchange_received_bytes_total",
      "Of the bytes received, what exchanges said.",
      traffic("exchangeReceivedBytes"),
    );
    this.counter("coterie_unanswered_requests_total", "Requests to peers that got no answer.", traffic("failed"));
    this.counters("coterie_violations_total", "What peers did that no correct peer does, by cause.", "cause", () => {
      const causes = new Map<string, number>(network()?.violations);
      for (const [cause, count] of Object.entries(state()?.violations ?? {})) add(causes, cause, count);
      return causes;
    });
    this.counters(
      "coterie_strangers_total",
      "What counts against others, by cause, of exchanges and of gossip.",
      "cause",
      () => Object.entries(state()?.strangers.counted ?? {}),
    );
    this.gauge("coterie_connections", "Open connections to peers.", () => network()?.connections ?? 0);
  }

  #readState({ state, dimension }: PeerSources): void {
    const read = (name: string, help: string, of: (state: PeerState) => number): void =>
      this.gauge(name, help, () => {
        const now = state();
        return now === null ? 0 : of(now);
      });
    read(
      "coterie_members",
      "Other members of the room; an estimate where not all fit into the view.",
      ({ size }) => size - 1,
    );
    read("coterie_alive", "Other members in view, believed alive.", ({ alive }) => alive.length);
    read("coterie_near", "Other members in the neighbourhood.", ({ near }) => near.length);
    read(
      "coterie_lenders",
      "Peers whose observations this one borrows; 0 where the policy cannot tell.",
      ({ lenders }) => lenders?.length ?? 0,
    );
    read(
      "coterie_misfits",
      "Members of the room with other features, another policy or version, as during a deploy.",
      ({ misfits }) => misfits,
    );
    read(
      "coterie_resting_peers",
      "Peers that are left alone for now, because they did not answer.",
      ({ strangers }) => strangers.resting,
    );
    read("coterie_refused_peers", "Peers that are refused.", ({ strangers }) => strangers.refused);
    read(
      "coterie_doubted_prefixes",
      "Address prefixes from which more than one name was of no use.",
      ({ strangers }) => strangers.prefixes,
    );
    read(
      "coterie_unreached_share",
      "The share of the view that never answered a call of this peer.",
      ({ strangers }) => strangers.unreached,
    );
    read("coterie_round", "The round.", ({ round }) => round);
    read("coterie_pending_choices", "Choices that wait for a reward.", ({ pending }) => pending);
    read(
      "coterie_queued_reports",
      "Reports of other workers' choices that wait for those workers.",
      ({ queued }) => queued,
    );
    read("coterie_own_observations", "Observations this peer made that still count.", ({ own }) => own);
    read(
      "coterie_outdated_observations",
      "Observations this peer made before its taste changed; they no longer count.",
      ({ outdated }) => outdated,
    );
    read("coterie_evidence", "Observations that choices rest on.", ({ evidence }) => evidence);
    read("coterie_buffered_slots", "Slots that wait in the buffer.", ({ buffered }) => buffered);
    read(
      "coterie_aside",
      "How far choices set aside what others gave, because own observations contradict it: 0 to 1.",
      ({ aside }) => aside ?? 0,
    );
    read("coterie_in_doubt", "1 while the end of an exchange is not known.", ({ inDoubt }) =>
      inDoubt === null ? 0 : 1,
    );
    read("coterie_mass_at_risk", "Exchanges given up in doubt, ever.", ({ massAtRisk }) => massAtRisk);
    read(
      "coterie_incarnation",
      "Rises when something written down may have been lost.",
      ({ incarnation }) => incarnation,
    );
    this.gauge("coterie_dimension", "Coordinates of an arm.", () => dimension);
  }
}
