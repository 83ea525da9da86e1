import { computed, signal } from "@preact/signals";
import { type Groups, groupsOf } from "../model/groups.ts";
import type { NetworkModel } from "../model/network.ts";
import type { Timeline } from "../model/timeline.ts";
import { GroupStyles } from "../view/looks.ts";
import { pictureOf } from "../view/picture.ts";

/** How the page stands with its feed. */
export type FeedStatus = "connecting" | "live" | "ended" | "lost";

/** What the page knows and what it shows; components read it, `feedClient` and `player` write it. */
export const link = signal<FeedStatus>("connecting");
export const timeline = signal<Timeline | null>(null);
/** Rises with every change of the timeline, at most some times a second. */
export const beats = signal(0);
/** The moment shown, in ms; null follows the newest. */
export const cursor = signal<number | null>(null);
export const playing = signal(true);
export const speed = signal(1);
export const selected = signal<number | null>(null);
/** What went wrong with the feed, in words; null where nothing did. */
export const banner = signal<string | null>(null);
/** What came of the last thing done to the network. */
export const notice = signal("");

export interface Moment {
  readonly timeline: Timeline;
  /** The last beat that is shown. */
  readonly index: number;
  readonly model: NetworkModel;
  readonly groups: Groups;
}

/** The network as it is shown. */
export const moment = computed<Moment | null>(() => {
  beats.value;
  const of = timeline.value;
  if (of === null || of.length === 0) return null;
  const index = cursor.value === null ? of.length - 1 : of.indexAt(cursor.value);
  const model = of.after(index);
  return { timeline: of, index, model, groups: groupsOf(model) };
});

const looks = new GroupStyles();
export const picture = computed(() => {
  const now = moment.value;
  return now === null ? null : pictureOf(now.model, now.groups, looks.of(now.groups));
});
