import { dcb, dccb, kindred, type Policy } from "@coterie/core";
import type { Stage } from "../stage.ts";

/** Something that happens to peers, and must end well however they are driven. */
export interface Scenario {
  /** As drivers name it that go without. */
  readonly name: string;
  /** Sets it apart from the same story with other policies. */
  readonly of: string;
  readonly policy: Policy;
  /** How many peers there are when it begins. */
  readonly peers: number;
  readonly play: (stage: Stage) => Promise<void>;
}

const delay = { rounds: 3 };
const threshold = { kind: "practical", factor: 0.7 } as const;

export const POLICIES = {
  dcb: dcb({ delay }),
  /** Nothing is ever promoted, so all mass is in the buffers and can be counted. */
  waiting: dcb({ delay: { rounds: 10_000 }, weight: "mean" }),
  dccb: dccb({ delay, threshold }),
  mutual: dccb({ delay, threshold, sharing: "mutual", bridge: true }),
  kindred: kindred(),
} as const;

/** The same story with several policies. */
export function each(
  name: string,
  policies: readonly (keyof typeof POLICIES)[],
  peers: number,
  play: (stage: Stage, policy: Policy) => Promise<void>,
): Scenario[] {
  return policies.map((of) => ({
    name,
    of,
    policy: POLICIES[of],
    peers,
    play: (stage) => play(stage, POLICIES[of]),
  }));
}
