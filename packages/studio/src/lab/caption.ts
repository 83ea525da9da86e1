import type { PolicyKind } from "@coterie/core/internal";
import { compared } from "../model/words.ts";
import type { RunSums } from "./run.ts";
import type { Setting } from "./setting.ts";

/** What a run showed, in a few sentences: first what sharing earned beside learning alone, then how far that is from the bound. */
export function captionOf(setting: Setting, points: readonly RunSums[]): string[] {
  const last = points.at(-1);
  if (last === undefined) return [];
  const { policies } = setting;
  const honest = setting.peers - setting.liars;
  const of = (kind: PolicyKind, point = last): number | null => {
    const place = setting.policies.indexOf(kind);
    return place < 0 ? null : point.regret[place] / honest;
  };
  const said: string[] = [];
  const solo = of("solo");
  if (solo !== null) {
    for (const kind of [...setting.policies].sort((a, b) => (of(a) ?? 0) - (of(b) ?? 0))) {
      if (kind === "solo" || kind === "oracle" || kind === "random") continue;
      const words = compared(of(kind) ?? 0, solo, "regret");
      if (words !== null)
        said.push(
          `${kind} has ${words} learning alone (${(of(kind) ?? 0).toFixed(1)} against ${solo.toFixed(1)} a peer)`,
        );
    }
  } else {
    const best = setting.policies
      .map((kind) => ({ kind, regret: of(kind) ?? 0 }))
      .sort((a, b) => a.regret - b.regret)[0];
    said.push(
      `${best.kind} has the least regret, ${best.regret.toFixed(1)} a peer; add solo to see what sharing earned`,
    );
  }
  const [oracle, kindred] = [of("oracle"), of("kindred")];
  if (oracle !== null && oracle > 0 && kindred !== null)
    said.push(
      `knowing everybody's kind from the start would cost ${oracle.toFixed(1)}; kindred pays ${(kindred / oracle).toFixed(1)} times that for finding out`,
    );
  said.push(...afterMove(setting, points, of));
  // A policy's name stays as it is written everywhere.
  const isName = (text: string): boolean => policies.some((kind) => text.startsWith(`${kind} `));
  const sentences = said.map(
    (text) => `${isName(text) ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}.`,
  );
  return [`After ${last.round} rounds:`, ...sentences, "One run of one seed; another seed gives other figures."];
}

/** Where tastes changed: what the rounds since then cost beside as many before. */
function afterMove(
  { moves, policies }: Setting,
  points: readonly RunSums[],
  of: (kind: PolicyKind, point?: RunSums) => number | null,
): string[] {
  const last = points.at(-1);
  if (moves === 0 || last === undefined || last.round <= moves) return [];
  const before = points.filter(({ round }) => round <= moves).at(-1);
  if (before === undefined || !policies.includes("kindred") || !policies.includes("solo")) return [];
  const since = (kind: PolicyKind): number => (of(kind) ?? 0) - (of(kind, before) ?? 0);
  const words = compared(since("kindred"), since("solo"), "regret");
  return words === null
    ? []
    : [`of what was lost since half of the tastes changed, in round ${moves}, kindred has ${words} learning alone`];
}
