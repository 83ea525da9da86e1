import type { Policy } from "../peer/learner.ts";
import { dcb } from "../policies/dcb.ts";
import { dccb } from "../policies/dccb.ts";
import { kindred } from "../policies/kindred.ts";
import { random } from "../policies/random.ts";
import { roundRobin } from "../policies/roundRobin.ts";
import { solo } from "../policies/solo.ts";

const delay = { rounds: 3 };
const threshold = { kind: "practical", factor: 0.5 } as const;
const theory = { kind: "theory", norm: 1, noise: 0.5, delta: 0.05, weight: 1 } as const;

/** Every policy that runs in peers, and what changes how it keeps or shares its state. Short delays, early prunes. */
export const VARIANTS: Readonly<Record<string, Policy>> = {
  random: random(),
  solo: solo(),
  "solo, thompson": solo({ choice: "thompson", radius: theory }),
  "round-robin": roundRobin(),
  dcb: dcb(),
  "dcb, no delay": dcb({ delay: { rounds: 0 } }),
  "dcb, mean, bridge": dcb({ delay, weight: "mean", bridge: true }),
  "dcb, epoch": dcb({ delay, buffer: "epoch", choice: "thompson" }),
  "dcb, epoch, bridge": dcb({ delay, buffer: "epoch", bridge: true }),
  dccb: dccb({ threshold }),
  "dccb, mutual": dccb({ delay, threshold, sharing: "mutual", radius: theory }),
  "dccb, guard, forgive": dccb({ delay, threshold, sharing: "mutual", guard: true, forgive: 1.5 }),
  "dccb, bridge": dccb({ delay, threshold, bridge: true }),
  "dccb, epoch": dccb({ delay, threshold, buffer: "epoch", sharing: "mutual" }),
  kindred: kindred(),
  "kindred, small view": kindred({ view: 3, budget: 2, choice: "thompson" }),
  "dccb, epoch, bridge": dccb({ delay, threshold, buffer: "epoch", bridge: true, choice: "thompson" }),
};

/** Those whose peers meet. */
export const SOCIABLE = Object.keys(VARIANTS).filter((name) => VARIANTS[name]!.codec !== null);
