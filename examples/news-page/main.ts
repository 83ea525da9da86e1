import { createPeer, flag, indexed, libp2p, number, oneHot } from "@coterie/net/browser";
import { stories, topics } from "./stories.ts";

const SHOWN = 3;
const OFFERED = 8;

/** Where tabs meet: `npm run hub`, or the one that the address names. */
const hub = new URLSearchParams(location.search).get("hub") ?? "/ip4/127.0.0.1/tcp/4002/ws";
/** A store belongs to one tab. It is the same one when the page is loaded again. */
sessionStorage.tab ??= crypto.randomUUID();

const list = document.querySelector("#stories") as HTMLOListElement;
const status = document.querySelector("#status") as HTMLParagraphElement;
const next = document.querySelector("#next") as HTMLButtonElement;

const open = async () =>
  createPeer({
    room: "front-page",
    features: { topic: oneHot(topics), words: number(0, 3000), fresh: flag() },
    network: libp2p({ bootstrap: [hub] }),
    store: indexed(`front-page ${sessionStorage.tab}`),
    tick: { periodMs: 1000 },
  });
const peer = await open().catch((error: Error) => {
  status.textContent = `This page could not be opened: ${error.message}`;
  throw error;
});

/** One edition: the peer picks three of eight stories. Choosing is synchronous, and works offline. */
function edition(): void {
  const offered = [...stories].sort(() => Math.random() - 0.5).slice(0, OFFERED);
  const slate = peer.slate(offered, { k: SHOWN });
  /** A reader goes down the list: the story that was read was worth 1, those above it nothing, and of those below nothing is known. */
  const read = async (index: number | null): Promise<void> => {
    list.inert = true;
    const seen = slate.choices.slice(0, index === null ? SHOWN : index + 1);
    slate.shown(seen.length);
    await Promise.all(seen.map((choice, k) => choice.reward(k === index ? 1 : 0)));
    slate.cancel();
    // Closes the round, so that the next edition rests on this one; others are met by the peer's own clock.
    await peer.tick({ partner: null });
    edition();
    // The story that was read is gone: whoever came by keyboard goes on from the first one.
    if (index !== null) list.querySelector("button")?.focus();
  };
  list.replaceChildren(...slate.items.map((item, k) => line(item, () => read(k))));
  list.inert = false;
  next.onclick = () => read(null);
  show();
}

function line({ title, topic }: (typeof stories)[number], onclick: () => void): HTMLLIElement {
  const button = Object.assign(document.createElement("button"), { type: "button", onclick });
  const about = document.createElement("small");
  about.textContent = topic;
  button.append(title, about);
  button.dataset.topic = topic;
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function show(): void {
  const { own, alive, lenders } = peer.state();
  const tabs = (count: number): string => `${count} other tab${count === 1 ? "" : "s"}`;
  const text = `Learnt from ${own} stories here; meets ${tabs(alive.length)}, borrows from ${tabs(lenders?.length ?? 0)}.`;
  // Said aloud by screen readers, so only where it changed.
  if (status.textContent !== text) status.textContent = text;
}

edition();
setInterval(show, 500);
