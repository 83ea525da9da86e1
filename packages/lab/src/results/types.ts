/** What a run leaves behind. One `Result` is one cell of an experiment: a world, a policy and a seed. */

/** One row of `coterie run … --json`, in this order of fields. */
export interface Row {
  readonly world: string;
  readonly policy: string;
  readonly kind: string;
  readonly seed: number;
  readonly peers: number;
  readonly rounds: number;
  /** Sum over peers and rounds. */
  readonly reward: number;
  /** Ratio to the random policy's reward in the same world and seed; null where that is not clearly above 0. */
  readonly rewardOverRandom: number | null;
  /** Expected; null where the world does not know the means. */
  readonly regret: number | null;
  /** All peers, both ways, as the wire format would send it; null for policies with a centre. */
  readonly sentBytes: number | null;
  /** How often a peer took in another's statistics. */
  readonly exchanges: number;
  /** The round from which on every neighbourhood equals its cluster; null if not, or where there are none. */
  readonly exactAtRound: number | null;
  /** Share of the choices that were the best arm offered; null where the world does not know the means. */
  readonly rightShare: number | null;
  /** Regret of those who joined late alone; null where nobody did. */
  readonly newcomerRegret: number | null;
  /** Peers whose most frequent choice of the last tenth of the rounds is not the best item; null unless the menu is fixed. */
  readonly stuck: number | null;
  readonly secondsPerRun: number;
}

/** Where a run stood after `round` rounds. Sums run from the first round on. */
export interface Checkpoint {
  readonly round: number;
  readonly reward: number;
  readonly rewardOverRandom: number | null;
  readonly regret: number | null;
  /** Reward and regret a round since the checkpoint before, sum over peers: where the sums are heading. */
  readonly rewardPerRound: number;
  readonly regretPerRound: number | null;
  readonly sentBytes: number | null;
  readonly exchanges: number;
  /** Pairs of peers rightly joined or rightly kept apart, and the other ones; null where there are no neighbourhoods. */
  readonly pairsRight: number | null;
  readonly pairsWrong: number | null;
  /** Root mean square distance of a peer's estimate from the mean of its cluster (of all, where none is known). */
  readonly disagreement: number;
  /** Share of the evidence behind a peer's estimate that is not its own, averaged over the peers. */
  readonly borrowed: number;
  /** Share of the peers that have found their own kind (`foundShare`); null where nobody can tell who lends to whom. */
  readonly found: number | null;
  /** Choices so far, and how many of them were the best arm offered (null where nobody knows). */
  readonly choices: number;
  readonly rightChoices: number | null;
  readonly newcomerRegret: number | null;
}

/** A finished cell: its row and its checkpoints. */
export interface Result {
  /** Position of the cell in the experiment: worlds × policies × seeds, the last running fastest. */
  readonly cell: number;
  readonly row: Row;
  readonly checkpoints: readonly Checkpoint[];
}

/** What was run, by what, on what. Written before the first row. */
export interface Manifest {
  readonly format: 1;
  readonly version: string;
  readonly engine: { readonly node: string; readonly platform: string; readonly arch: string };
  readonly created: string;
  /** The experiment as it was run, defaults left out as in the file. */
  readonly experiment: unknown;
  readonly name: string;
  readonly cells: number;
  readonly shard: { readonly index: number; readonly of: number };
  /** Policy modules by path, each with the SHA-256 of its file; absent where there are none. */
  readonly modules?: Readonly<Record<string, string>>;
}
