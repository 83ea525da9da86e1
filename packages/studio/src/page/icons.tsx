import { ALONE, type GroupStyle, markSvg } from "../view/looks.ts";
import { ink } from "./ink.ts";

/** Three that pool and one apart. */
export const Logo = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M7 7L17 8L11 17Z" fill="none" stroke="var(--line)" stroke-width="1.5" />
    <circle cx="7" cy="7" r="3.4" fill="var(--series-0)" />
    <circle cx="17" cy="8" r="3.4" fill="var(--series-0)" />
    <circle cx="11" cy="17" r="3.4" fill="var(--series-0)" />
    <circle cx="20" cy="19" r="2.4" fill="var(--series-4)" />
  </svg>
);

const PATHS = {
  good: "M3.5 8.5l3 3 6-7",
  wait: "M4 8h.01M8 8h.01M12 8h.01",
  bad: "M8 3.5v5.5M8 12.4v.1",
} as const;

/** A verdict's sign. The words beside it say the same. */
export const Sign = ({ state }: { state: keyof typeof PATHS }) => (
  <svg viewBox="0 0 16 16" class={state} aria-hidden="true">
    <circle cx="8" cy="8" r="7.2" fill="none" stroke="currentColor" stroke-width="1.2" opacity="0.45" />
    <path
      d={PATHS[state]}
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);

/** A group's mark. */
export const Swatch = ({ look = ALONE }: { look?: GroupStyle | undefined }) => (
  <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
    <path d={markSvg(look.mark, 8, 8, 5.5)} fill={look.colour < 0 ? ink.value.muted : ink.value.series[look.colour]} />
  </svg>
);

export const PlayIcon = ({ playing }: { playing: boolean }) => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <path d={playing ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2.5l9 5.5-9 5.5z"} fill="currentColor" />
  </svg>
);
