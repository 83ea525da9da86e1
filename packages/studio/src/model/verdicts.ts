import { OUTCOMES } from "../feed/format.ts";
import { type Groups, Truth } from "./groups.ts";
import { believersOf, countKin } from "./kin.ts";
import { type NetworkModel, UNANSWERED } from "./network.ts";
import type { Series } from "./series.ts";
import { bytesText, count, percent } from "./words.ts";

export interface HealthAnswer {
  readonly question: string;
  /** `good`, `wait` (not known yet, or under way), `bad`. Always said in words as well. */
  readonly state: "good" | "wait" | "bad";
  readonly answer: string;
  readonly detail: string;
}

/** So many beats make the "now" of a verdict: ten seconds of a live network. */
const NOW = 40;
/** A peer that met nobody for so long is stuck. */
const STUCK_MS = 15_000;

/** What there is to say about the network after beat `end - 1`, in words. What it earned is the headline's. */
export function verdicts(model: NetworkModel, groups: Groups, series: Series, end: number): HealthAnswer[] {
  return [found(model, groups), stuck(model), traffic(model, series, end)];
}

function found(model: NetworkModel, groups: Groups): HealthAnswer {
  const question = "Own kind found?";
  const truth = new Truth(model);
  const { known, settled, mistaken } = countKin(model, truth);
  const shape = shapeOf(model, groups);
  const parts = [shape, ...liarsOf(model)];
  if (known === 0) return { question, state: "wait", answer: shape, detail: "nobody knows the truth here" };
  if (mistaken > 0) parts.push(`${mistaken} ${mistaken === 1 ? "pools" : "pool"} with a stranger`);
  const pure = groups.list.filter((group) => isOfOneKind(model, group)).length;
  // Two groups of one kind have not found each other.
  if (settled === known && pure > truth.kinds) parts.push("some groups are of one kind and have not met");
  const done = settled === known && pure <= truth.kinds;
  const answer = `${done ? `All ${known}` : `${settled} of ${known}`} pool with their own kind only`;
  return { question, state: done ? "good" : "wait", answer, detail: parts.join("; ") };
}

/** Whether liars are believed: "Robin lies, 2 pool with it". */
function liarsOf(model: NetworkModel): string[] {
  const lies = model.column("lies");
  return model.peers.flatMap(({ peer, name }) => {
    if (lies[peer] !== 1 || !model.isPresent(peer)) return [];
    const those = believersOf(model, peer).length;
    return [
      `${name} lies, ${those === 0 ? "nobody pools with it" : `${those} ${those === 1 ? "pools" : "pool"} with it`}`,
    ];
  });
}

/** Whether all of a group whose kind is known are of one. */
function isOfOneKind(model: NetworkModel, group: readonly number[]): boolean {
  const kinds = new Set(group.map((peer) => model.peers[peer].cluster));
  kinds.delete(null);
  return kinds.size === 1;
}

/** "4 groups of 6, 6, 6, 5, 1 alone" */
function shapeOf(model: NetworkModel, { list }: Groups): string {
  if (list.length === 0) return "nobody pools yet";
  const sizes = list.map(({ length }) => length).sort((a, b) => b - a);
  const lone = model.present - sizes.reduce((sum, size) => sum + size, 0);
  const those = list.length <= 8 ? ` of ${sizes.join(", ")}` : "";
  return `${count(list.length, "group")}${those}${lone > 0 ? `, ${lone} alone` : ""}`;
}

function stuck(model: NetworkModel): HealthAnswer {
  const question = "Anyone stuck?";
  const those: string[] = [];
  const lastMet = model.column("lastMet");
  for (let peer = 0; peer < model.peers.length; peer++) {
    if (model.isPresent(peer) && model.at - lastMet[peer] > STUCK_MS) those.push(model.peers[peer].name);
  }
  const side = model.cut === null ? "" : `the network is cut in two, ${inSight(model)}; `;
  if (those.length === 0) {
    const detail = `${side}${count(model.present, "peer")}, each met somebody within ${STUCK_MS / 1000} s`;
    return { question, state: model.cut === null ? "good" : "wait", answer: "Nobody", detail };
  }
  const names = those.slice(0, 3).join(", ") + (those.length > 3 ? " and others" : "");
  return { question, state: "bad", answer: count(those.length, "peer"), detail: `${side}${names} met nobody lately` };
}

/** How many others a peer sees, from the least to the most. */
function inSight(model: NetworkModel): string {
  const sees = model.column("sees");
  const known = model.peers.flatMap(({ peer }) => (model.isPresent(peer) && sees[peer] >= 0 ? [sees[peer]] : []));
  if (known.length === 0) return "nobody knows who sees whom";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `each sees ${least === most ? most : `${least} to ${most}`} of ${model.present - 1} others`;
}

function traffic(model: NetworkModel, series: Series, end: number): HealthAnswer {
  const question = "Traffic fine?";
  const span = Math.min(NOW, end - 1);
  const seconds = span < 1 ? 0 : series.within("seconds", end, span);
  if (seconds <= 0) return { question, state: "wait", answer: "Nothing sent yet", detail: "" };
  let [all, unanswered] = [0, 0];
  OUTCOMES.forEach((outcome, code) => {
    const times = series.within(outcome, end, NOW);
    all += times;
    if (code >= UNANSWERED) unanswered += times;
  });
  const each = seconds * Math.max(1, model.present);
  const rate = series.within("sentBytes", end, span) / each;
  const learning = Math.min(rate, series.within("exchangeBytes", end, span) / each);
  const answer = `${bytesText(rate)}/s a peer`;
  const share = all === 0 ? 0 : unanswered / all;
  const parts = `${bytesText(learning)}/s of it learning, the rest is membership`;
  const detail = all === 0 ? "no exchange lately" : `${parts}; ${percent(1 - share)} of exchanges answered`;
  return { question, state: all === 0 ? "wait" : share > 0.1 ? "bad" : "good", answer, detail };
}
