import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { token } from "./token.ts";

/** Kept in this browser: whoever has seen or skipped the tour is not shown it again unless they ask. */
const KEY = "coterie tour";

const kept = <T,>(use: (storage: Storage) => T): T | null => {
  try {
    return use(localStorage);
  } catch {
    return null; // storage is forbidden; then the tour is offered anew
  }
};

/** The step that is shown; null where none is. */
export const step = signal<number | null>(kept((storage) => storage.getItem(KEY)) === "seen" ? null : 0);
/** Whether somebody asked for it: then it takes the focus. On a first visit it only stands there. */
const asked = signal(false);

interface Step {
  readonly title: string;
  readonly text: string;
  /** What it is about: a selector, whose element is framed and brought into sight. */
  readonly about: string;
}

const STEPS: readonly Step[] = [
  {
    title: "What sharing earns",
    text: "Every peer learns what its person likes. The figure compares the regret of all of them with that of twins that get the same posters and meet nobody. At first sharing earns nothing or costs a little; then the gap grows, as peers find their kind.",
    about: ".earned",
  },
  {
    title: "Who learns from whom",
    text: "A mark is a peer; those of one colour have found each other and pool what they know. Nobody told them who is alike. Choose a peer to see from whom it borrows, and how much.",
    about: ".network",
  },
  {
    title: "Try to break it",
    text: "Add peers and see how newcomers are served. Choose one and make it lie, then watch who sets it aside. Cut the network in two. Or become a peer yourself: that is Join, above.",
    about: ".network .tools",
  },
];

const READ_ONLY =
  " (This page was opened without the token, so it can only look; the address that the demo printed has it.)";

function go(to: number): void {
  step.value = to;
}

function end(): void {
  step.value = null;
  kept((storage) => storage.setItem(KEY, "seen"));
}

/** Opens it again. */
export const TourButton = () => (
  <button
    type="button"
    class="plain tour-button"
    onClick={() => {
      asked.value = true;
      step.value = 0;
    }}
  >
    Tour
  </button>
);

/** Three steps beside the page, never in its way: everything can be used while it is there. */
export function Tour() {
  const at = step.value;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (at === null) return;
    const element = document.querySelector(STEPS[at].about);
    element?.classList.add("toured");
    // Only where somebody follows it: a page that scrolls by itself would surprise.
    if (asked.value || at > 0) element?.scrollIntoView({ block: "nearest" });
    if (asked.value && at === 0) card.current?.focus();
    return () => element?.classList.remove("toured");
  }, [at]);
  if (at === null) return null;
  const { title, text } = STEPS[at];
  const last = at === STEPS.length - 1;
  return (
    <section
      class="tour"
      ref={card}
      tabIndex={-1}
      aria-labelledby="tour-title"
      onKeyDown={(event) => {
        if (event.key === "Escape") end();
      }}
    >
      <div aria-live="polite">
        <p class="quiet small">
          Tour, step {at + 1} of {STEPS.length}
        </p>
        <h2 id="tour-title">{title}</h2>
        <p>
          {text}
          {last && token.value === null && READ_ONLY}
        </p>
      </div>
      <div class="actions">
        <button type="button" class="primary" onClick={() => (last ? end() : go(at + 1))}>
          {last ? "Done" : "Next"}
        </button>
        {at > 0 && (
          <button type="button" onClick={() => go(at - 1)}>
            Back
          </button>
        )}
        {!last && (
          <button type="button" class="plain quiet" onClick={end}>
            Skip the tour
          </button>
        )}
      </div>
    </section>
  );
}
