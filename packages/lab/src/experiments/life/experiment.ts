import type { BuiltIn } from "../builtIn.ts";
import { figures } from "./figure.ts";
import { offers } from "./offers.ts";
import { lifeTable } from "./table.ts";
import { tastes } from "./tastes.ts";
import { time } from "./time.ts";

const clubs = [0.7, 1, 1.5, 2].map((factor) => ({
  kind: "club",
  name: `club ${factor}`,
  threshold: { kind: "practical", factor },
}));

export const life: BuiltIn = {
  name: "life",
  title: "Kindred in worlds like an app's: fixed menus, clicks, few ticks, change, newcomers (an hour)",
  document: {
    name: "life",
    worlds: [...offers, ...tastes, ...time],
    policies: [
      { kind: "kindred" },
      { kind: "solo" },
      { kind: "oracle" },
      { kind: "pooled" },
      ...clubs,
      { kind: "dccb" },
    ],
    rounds: 300,
    seeds: Array.from({ length: 8 }, (_, k) => 101 + k),
    checkpoints: 30,
  },
  figures,
  table: lifeTable,
};
