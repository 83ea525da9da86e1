import type { HealthAnswer } from "../model/verdicts.ts";
import { bytesText, count } from "../model/words.ts";
import type { HubSample } from "./watch.ts";

/** So many looks back is "now". */
const NOW = 10;

/** Before the first look: the same boxes, so that nothing moves when it comes. */
const WAITING: readonly HealthAnswer[] = ["Anyone here?", "Finding each other?", "Relaying?", "Anything odd?"].map(
  (question) => ({ question, state: "wait", answer: "…", detail: "Asking the hub" }),
);

/** What there is to say about a hub, in words. */
export function hubVerdicts(looks: readonly HubSample[]): readonly HealthAnswer[] {
  const last = looks.at(-1);
  if (last === undefined) return WAITING;
  const { members, rooms, connections, reservations, circuits, violations, overloads = {} } = last.overview;
  const faults = Object.entries(violations);
  const limits = Object.entries(overloads);
  const refused = limits.reduce((sum, [, times]) => sum + times, 0);
  const all = faults.reduce((sum, [, times]) => sum + times, 0);
  const oddities = [
    ...(all > 0 ? [count(all, "violation")] : []),
    ...(refused > 0 ? [`${refused} refused for want of space`] : []),
  ];
  return [
    {
      question: "Anyone here?",
      state: members > 0 ? "good" : "wait",
      answer: members > 0 ? `${count(members, "peer")} in ${count(rooms.length, "room")}` : "Nobody yet",
      detail: `${count(connections, "connection")} open`,
    },
    {
      question: "Finding each other?",
      state: rooms.some((room) => room.members > 1) ? "good" : "wait",
      answer: `${rate(looks, "introductions").toFixed(1)} introductions a second`,
      detail: rooms.some((room) => room.members === 1) ? "somebody is alone in a room" : "peers that ask who is there",
    },
    {
      question: "Relaying?",
      state: circuits > 0 ? "good" : "wait",
      answer:
        circuits > 0 ? `${bytesText(rate(looks, "relayedBytes"))}/s on ${count(circuits, "line")}` : "Nothing now",
      detail: `${count(reservations, "peer")} can be reached through it`,
    },
    {
      question: "Anything odd?",
      state: all + refused === 0 ? "good" : "bad",
      answer: oddities.length === 0 ? "Nothing" : oddities.join(", "),
      detail:
        all + refused === 0
          ? "no peer did what no correct peer does"
          : [...faults, ...limits].map(([cause, times]) => `${cause} ${times}`).join(", "),
    },
  ];
}

/** How fast a count rose lately, a second. */
export function rate(looks: readonly HubSample[], name: "introductions" | "relayedBytes", end = looks.length): number {
  const [first, last] = [looks[Math.max(0, end - NOW)], looks[end - 1]];
  if (first === undefined || last === undefined || last.at <= first.at) return 0;
  // A hub that was started anew counts from 0.
  return Math.max(0, last.overview[name] - first.overview[name]) / (last.at - first.at);
}
