import * as parts from "@coterie/net/internal";
import type { Mutant } from "./mutant.ts";
import { replaceMethod } from "./replace.ts";

/** Bugs in who is there. */
export const VIEW_MUTANTS: readonly Mutant[] = [
  {
    name: "swap-loses-entries",
    brief: "what is sent in a swap is dropped at once, whether anything comes in its place or not",
    plant: () =>
      replaceMethod(parts.Swaps.prototype, "offer", (_self, original, to, view, random) => {
        const offered = original(to, view, random);
        for (const { entry } of offered) view.drop(entry.claim.id);
        return offered;
      }),
  },
  {
    name: "believes-hearsay",
    brief: "whoever is told of counts as there now, however old its entry is",
    plant: () =>
      replaceMethod(parts.Membership.prototype, "counted", (self, original, news, from, now) => {
        original(news, from, now);
        for (const { entry } of news) self.entries.contact(entry.claim.id, now);
      }),
  },
  {
    name: "buried-comes-back",
    brief: "an entry brings a buried peer back that was signed before it was buried",
    plant: () => replaceMethod(parts.Graves.prototype, "bars", () => false),
  },
];
