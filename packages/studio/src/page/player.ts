import { cursor, playing, speed, timeline } from "./store.ts";

/** Moves the moment shown while a recording plays, or while the reader has gone back in time. */
export function startPlayer(): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    const of = timeline.value;
    if (of === null || cursor.value === null || !playing.value) return;
    const next = cursor.value + passed * speed.value;
    // Caught up: follow again.
    cursor.value = next >= of.live.at ? null : next;
  }, 100);
  return () => clearInterval(timer);
}

/** Stands still at the moment shown, or goes on from it. */
export function togglePlay(): void {
  const of = timeline.value;
  if (of === null) return;
  if (playing.value) {
    playing.value = false;
    cursor.value ??= of.live.at;
    return;
  }
  playing.value = true;
}

/** Goes to a moment; at the end it follows the newest. */
export function seek(ms: number): void {
  const of = timeline.value;
  if (of === null) return;
  cursor.value = Math.max(0, Math.min(of.live.at, ms));
}

export function goLive(): void {
  cursor.value = null;
  playing.value = true;
}
