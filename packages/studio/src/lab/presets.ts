import { DEFAULTS, type Setting } from "./setting.ts";

/** A setting worth looking at, and what it is about. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly setting: Setting;
}

const preset = (name: string, title: string, about: string, more: Partial<Setting> = {}): Preset => ({
  name,
  title,
  about,
  setting: { ...DEFAULTS, ...more },
});

/** Those with a finished run that comes with the page (`finished.json`). The first is shown at once. */
export const PRESETS: readonly Preset[] = [
  preset(
    "four-tastes",
    "Four tastes",
    "40 peers of four tastes; every round offers fresh items. Who finds its kind learns from ten at once.",
  ),
  preset(
    "catalogue",
    "A fixed catalogue",
    "The same 20 items are on offer in every round, as in a shop. Once the best one is found there is little left to learn.",
    { items: 20, arms: 20 },
  ),
  preset(
    "changing",
    "Changing tastes",
    "After round 250 half of the peers change to another taste. Old friends are then wrong.",
    { moves: 250 },
  ),
  preset(
    "liars",
    "Liars",
    "Eight of the 40 peers turn every reward round before they share it. Regret is that of the other 32.",
    { liars: 8, policies: ["solo", "dccb", "kindred"] },
  ),
];

/** The preset that a setting is; null where it is none. */
export function presetOf(setting: Setting): Preset | null {
  const same = (a: Setting, b: Setting): boolean => JSON.stringify(a) === JSON.stringify(b);
  return PRESETS.find((one) => same(one.setting, { ...one.setting, ...setting })) ?? null;
}
