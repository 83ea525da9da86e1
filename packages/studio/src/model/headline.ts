import type { Series } from "./series.ts";
import type { HealthAnswer } from "./verdicts.ts";
import { compared, signed, whole } from "./words.ts";

/** What sharing earned so far. */
export interface Headline {
  readonly state: HealthAnswer["state"];
  /** "44 % less regret than alone" */
  readonly answer: string;
  /** The sums behind it. */
  readonly detail: string;
}

/** Below so many choices a peer there is nothing to say: all of them only try things out. */
const FEW = 5;
/** And below so many, more regret than alone is the price of the start. */
const EARLY = 40;

/**
 * Regret since the start, of all peers that never were made to lie, beside that of their twins. Regret has no noise in it where
 * the truth is known, and the sum fades with nothing: a difference a choice would, as those who are alone learn too.
 */
export function headline(series: Series, end: number, peers: number): Headline {
  const sum = (name: "choices" | "reward" | "alone" | "regret" | "aloneRegret"): number =>
    end === 0 ? 0 : series.get(name).at(end - 1);
  const choices = sum("choices");
  if (peers === 0 || choices < FEW * peers)
    return { state: "wait", answer: "Too early to say", detail: `${whole(choices)} choices so far` };
  const [regret, alone] = [sum("regret"), sum("aloneRegret")];
  const words = compared(regret, alone, "regret");
  if (words === null) return byReward(choices, sum("reward"), sum("alone"));
  const state = regret < 0.995 * alone ? "good" : choices < EARLY * peers || regret <= 1.005 * alone ? "wait" : "bad";
  const answer = state === "wait" ? "No gain yet" : `${words.charAt(0).toUpperCase()}${words.slice(1)} alone`;
  const detail = `${whole(choices)} choices lost ${whole(regret)} rating points; alone ${whole(alone)}`;
  return { state, answer, detail };
}

/** Where nobody knows the truth, rewards are all there is; they are noisy. */
function byReward(choices: number, reward: number, alone: number): Headline {
  const gain = (reward - alone) / choices;
  const state = gain > 0.01 ? "good" : gain < -0.01 ? "bad" : "wait";
  const detail = `${whole(choices)} choices; nobody knows the best ones here, so rewards are compared`;
  return { state, answer: `${signed(gain)} a choice beside alone`, detail };
}
