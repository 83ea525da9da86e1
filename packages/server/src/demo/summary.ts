import { groupsOf, type NetworkModel, OUTCOMES, Truth } from "@coterie/studio";

/** What a demo came to. Sums are over all peers, those that left included. */
export interface DemoSummary {
  readonly policy: string;
  readonly peers: number;
  readonly clusters: number;
  readonly seconds: number;
  readonly choices: number;
  /** A choice, on average: of the peers, and of the same peers alone with the same arms. */
  readonly reward: number;
  readonly aloneReward: number;
  readonly regret: number;
  readonly aloneRegret: number;
  readonly groups: readonly number[];
  /** Peers that pool with exactly those of their own cluster. */
  readonly exact: number;
  /** All that was sent, membership included; and the messages of exchanges. */
  readonly sentBytes: number;
  readonly exchangeBytes: number;
  readonly exchanges: Readonly<Record<string, number>>;
  readonly troubles: number;
}

/** Sums that a model of the moment does not keep. */
export class DemoTally {
  readonly exchanges = new Map<string, number>();
  exchangeBytes = 0;
  troubles = 0;

  count(code: number, bytes: number): void {
    const outcome = OUTCOMES[code];
    this.exchangeBytes += bytes;
    this.exchanges.set(outcome, (this.exchanges.get(outcome) ?? 0) + 1);
  }
}

export function summarise(model: NetworkModel, tally: DemoTally, policy: string, clusters: number): DemoSummary {
  const sum = (name: Parameters<NetworkModel["column"]>[0]): number =>
    model.column(name).reduce((total, value) => total + value, 0);
  const choices = sum("choices");
  const each = (total: number): number => (choices === 0 ? 0 : Math.round((total / choices) * 1e4) / 1e4);
  let exact = 0;
  const truth = new Truth(model);
  for (let peer = 0; peer < model.peers.length; peer++) {
    if (!model.isPresent(peer)) continue;
    const wrong = truth.misplaced(peer);
    if (wrong !== null && wrong.missing + wrong.strange === 0) exact += 1;
  }
  return {
    policy,
    peers: model.present,
    clusters,
    seconds: Math.round(model.at / 100) / 10,
    choices,
    reward: each(sum("reward")),
    aloneReward: each(sum("alone")),
    regret: each(sum("regret")),
    aloneRegret: each(sum("aloneRegret")),
    groups: groupsOf(model).list.map(({ length }) => length),
    exact,
    sentBytes: sum("sentBytes"),
    exchangeBytes: tally.exchangeBytes,
    exchanges: Object.fromEntries(tally.exchanges),
    troubles: tally.troubles,
  };
}
