import { VIEW_SIZE } from "@coterie/net/internal";
import { effect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "../model/words.ts";
import { NetworkView } from "../view/networkView.ts";
import { Controls, hindrance, WHY } from "./controls.tsx";
import { ink } from "./ink.ts";
import { Legend } from "./legend.tsx";
import { cursor, type Moment, moment, notice, picture, playing, selected, timeline } from "./store.ts";

/** The view that is on the page, for exports and for who measures. */
export const shown: { view: NetworkView | null } = { view: null };

/** A beat this far behind the last one shown was jumped to: nothing flashes. */
const MOST_CAUGHT_UP = 12;

/** Keeps the canvas in step with what is to be shown; returns a way to stop. */
function attach(canvas: HTMLCanvasElement): () => void {
  const view = new NetworkView(canvas, ink.peek());
  shown.view = view;
  const observer = new ResizeObserver(() => view.resize());
  observer.observe(canvas);
  let last = -1;
  const stops = [
    effect(() => view.recolour(ink.value)),
    effect(() => view.select(selected.value)),
    effect(() => {
      const now = picture.value;
      if (now !== null) view.show(now);
    }),
    effect(() => {
      const now = moment.value;
      if (now === null || timeline.peek() === null) return;
      const fresh = now.index - last;
      if (fresh > 0 && fresh <= MOST_CAUGHT_UP && (cursor.peek() === null || playing.peek())) {
        for (let k = last + 1; k <= now.index; k++) view.flash(now.timeline.beats[k], 250 * fresh);
      }
      last = now.index;
    }),
  ];
  view.resize();
  return () => {
    for (const stop of stops) stop();
    observer.disconnect();
    view.stop();
    shown.view = null;
  };
}

/** The next peer that is there, in the order of their numbers. */
function step(by: 1 | -1): void {
  const model = moment.value?.model;
  if (model === undefined || model.present === 0) return;
  const count = model.peers.length;
  let peer = selected.value ?? (by === 1 ? -1 : count);
  do peer = (peer + by + count) % count;
  while (!model.isPresent(peer));
  selected.value = peer;
  notice.value = `${model.peers[peer].name}, pools with ${model.pool(peer).length}.`;
}

const KEYS: Readonly<Record<string, () => void>> = {
  ArrowRight: () => step(1),
  ArrowDown: () => step(1),
  ArrowLeft: () => step(-1),
  ArrowUp: () => step(-1),
  Escape: () => {
    selected.value = null;
  },
};

export function NetworkPanel() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [tip, setTip] = useState<{ x: number; y: number; name: string } | null>(null);
  useEffect(() => (canvas.current === null ? undefined : attach(canvas.current)), []);
  const now = moment.value;
  const peerUnder = (event: MouseEvent): number | null => shown.view?.peerAt(event.offsetX, event.offsetY) ?? null;
  const hover = (event: MouseEvent): void => {
    const peer = peerUnder(event);
    shown.view?.hover(peer);
    const place = peer === null ? undefined : shown.view?.place(peer);
    const name = peer === null ? undefined : now?.model.peers[peer]?.name;
    setTip(place === undefined || name === undefined ? null : { ...place, name });
  };
  const why = hindrance();
  return (
    <section class="panel network" aria-labelledby="network">
      <header>
        <h2 id="network">Network</h2>
        <span class="quiet small number">{now === null ? "" : sizeOf(now)}</span>
        <Controls />
      </header>
      <div
        class="stage"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is to be focused, its keys are its own
        tabIndex={0}
        role="application"
        aria-label={`Picture of the network${now === null ? "" : `, ${now.model.present} peers in ${now.groups.list.length} groups`}. Arrow keys go from peer to peer, Escape lets go. The table below has the same peers.`}
        onKeyDown={(event) => {
          const act = KEYS[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
      >
        <canvas
          ref={canvas}
          onClick={(event) => {
            selected.value = peerUnder(event);
          }}
          onMouseMove={hover}
          onMouseLeave={() => {
            shown.view?.hover(null);
            setTip(null);
          }}
        />
        <p class="hint small" id={WHY}>
          {why ?? notice.value}
        </p>
        {tip !== null && (
          <div class="tip" style={{ left: `${tip.x}px`, top: `${tip.y}px` }}>
            {tip.name}
          </div>
        )}
      </div>
      <Legend />
    </section>
  );
}

/** How many there are, and that nobody but this page sees them all once there are more than a view holds. */
function sizeOf({ model }: Moment): string {
  const all = count(model.present, "peer");
  return model.present <= VIEW_SIZE + 1 ? all : `${all}, of whom each sees some ${VIEW_SIZE}`;
}
