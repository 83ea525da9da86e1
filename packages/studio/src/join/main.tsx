import { render } from "preact";
import { count, signed, whole } from "../model/words.ts";
import { Shell } from "../page/shell.tsx";
import { features, forget, names, note, open, peak, rate, rated, remembered, shown, standing, state } from "./peer.ts";
import { described, Poster } from "./poster.tsx";
import { borrowedShare, companyOf, hitsOf, WHY_IT_FALLS } from "./told.ts";

const RATINGS = [
  { value: -1, text: "Away with it", mouth: "M7 17q5-5 10 0" },
  { value: -0.5, text: "Not really", mouth: "M7 16.5q5-2.5 10 0" },
  { value: 0, text: "Neither", mouth: "M7 16h10" },
  { value: 0.5, text: "Like it", mouth: "M7 15q5 2.5 10 0" },
  { value: 1, text: "More of that", mouth: "M7 14.5q5 5 10 0" },
] as const;

function Easel() {
  const choice = shown.value;
  return (
    <section class="easel" aria-label="A poster to rate">
      {choice === null ? <div class="poster empty" /> : <Poster card={choice.item} />}
      {/* The next one is announced; whoever rates stays on the button they pressed. */}
      <div aria-live="polite">
        <h2 id={choice === null ? undefined : "title"}>{choice?.item.title ?? "…"}</h2>
        {choice !== null && <p class="hidden">{described(choice.item)}</p>}
      </div>
      <p class="quiet">
        Would you hang it on your wall?<span class="wide"> Keys 1 to 5 rate it too.</span>
      </p>
      <fieldset class="rate" aria-label="Your rating" disabled={choice === null}>
        {RATINGS.map(({ value, text, mouth }, k) => (
          <button type="button" key={value} onClick={() => rate(value)} aria-keyshortcuts={`${k + 1}`}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" stroke-width="1.4" />
              <path
                d={`M8.5 9.5v.1M15.5 9.5v.1${mouth}`}
                fill="none"
                stroke="currentColor"
                stroke-width="1.8"
                stroke-linecap="round"
              />
            </svg>
            {text}
          </button>
        ))}
      </fieldset>
    </section>
  );
}

/** Exchanges in which something was told, both those this peer began and those it answered. */
function meetings(): number {
  const { mix = 0, keep = 0 } = state.value?.exchanges ?? {};
  return mix + keep;
}

/** In a large room a peer sees some of the others, and guesses how many there are. */
const inRoom = (alive: number, size: number): string =>
  size - 1 > alive
    ? `In a room of about ${whole(size)}, ${whole(alive)} of them in sight`
    : `In the room with ${count(alive, "other peer")}`;

/** How the tab stands, in words. */
function Status() {
  const at = standing.value;
  if (at.kind === "opening") return <p class="status">Opening this tab's peer…</p>;
  if (at.kind === "busy") {
    return (
      <p class="status bad">
        Another tab of this browser is this peer already. One is enough: close the other one, and this tab takes over.
      </p>
    );
  }
  if (at.kind === "failed") {
    return <p class="status bad">The room cannot be joined just now: {at.message}. This tab tries again.</p>;
  }
  const alive = state.value?.alive.length ?? 0;
  if (alive > 0) {
    return (
      <p class="status good">
        {inRoom(alive, state.value?.size ?? 0)}; {count(meetings(), "exchange")} so far. {note.value}
      </p>
    );
  }
  return (
    <p class="status bad">
      Nobody else is in sight: nobody has come yet, or the hub cannot be reached. The peer goes on with what it knows,
      and looks for them. {note.value}
    </p>
  );
}

/** What came of company. */
function Company() {
  const now = state.value;
  if (now === null) return null;
  const lenders = (now.lenders ?? []).map((id) => names.value[id] ?? "another guest");
  const share = borrowedShare(now);
  const told = companyOf({ ...now, lenders, remembered: remembered.value, peak: peak.value });
  const hits = hitsOf(rated.value.map(({ rating }) => rating));
  return (
    <section aria-labelledby="kind">
      {hits !== null && <p class="figure">{hits}</p>}
      <h2 id="kind">{told.title}</h2>
      <p class="lead">{told.lead}</p>
      {now.own > 0 && (
        <div class="bar" aria-hidden="true">
          <i style={{ width: `${100 * (1 - share)}%` }} />
          <i class="borrowed" style={{ width: `${100 * share}%` }} />
        </div>
      )}
      <p class="small quiet number">{told.detail}</p>
      {now.own > 0 && share > 0 && <p class="small quiet">{WHY_IT_FALLS}</p>}
    </section>
  );
}

const FEATURE_TEXT: Readonly<Record<string, string>> = {
  shape: "shape",
  palette: "colours",
  busy: "fullness",
  dark: "paper",
  mirrored: "mirroring",
  bias: "any poster",
};

/** Why this poster: what it is expected to be worth, feature by feature. */
function Why() {
  const choice = shown.value;
  if (choice === null) return null;
  const { mean, shares } = choice.explain();
  const parts = Object.entries(shares).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const most = Math.max(0.05, ...parts.map(([, value]) => Math.abs(value)));
  const blind = parts.every(([, value]) => Math.abs(value) < 0.005);
  if (blind) {
    return (
      <section aria-labelledby="why">
        <h2 id="why">Why this one</h2>
        <p class="quiet">No reason yet: it knew nothing when it chose it.</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why this one</h2>
      <p class="quiet">It expects you to rate it {signed(mean)}, of −1 to +1. Each part of that:</p>
      <dl class="likes">
        {parts.map(([name, value]) => (
          <Beam key={name} name={FEATURE_TEXT[name] ?? name} value={value} most={most} />
        ))}
      </dl>
    </section>
  );
}

function Beam({ name, value, most }: { name: string; value: number; most: number }) {
  const width = (50 * Math.abs(value)) / most;
  return (
    <>
      <dt>{name}</dt>
      <dd class="beam" aria-hidden="true">
        <i class={value < 0 ? "less" : ""} style={{ width: `${width}%`, left: `${value < 0 ? 50 - width : 50}%` }} />
      </dd>
      <dd>{signed(value)}</dd>
    </>
  );
}

/** "palette=sand" -> "colours: sand" */
function inWords(name: string): string {
  const [feature, value] = name.split("=");
  const known = FEATURE_TEXT[feature] ?? feature;
  return value === undefined ? known : `${known}: ${value}`;
}

/** Each feature's coordinate is this large where it is there: one of five, and the bias (x = (1, f) / √6). */
const PART = 1 / Math.sqrt(6);

/** What the peer believes of its person: the features that add most to a rating, and those that take most away. */
function Belief() {
  const now = state.value;
  // Before the first rating it is what others like.
  if (now === null || now.own === 0) return null;
  const known = features.names
    .map((name, k) => ({ name: inWords(name), value: now.estimate[k] * PART }))
    .filter((_, k) => features.names[k] !== "bias")
    .sort((a, b) => b.value - a.value);
  const list = [...known.slice(0, 4), ...known.slice(-3)];
  const most = Math.max(...list.map(({ value }) => Math.abs(value)), 0.1);
  return (
    <section aria-labelledby="belief">
      <h2 id="belief">What it believes you like</h2>
      <p class="quiet">What each would add to a rating, or take away.</p>
      <dl class="likes">
        {list.map(({ name, value }) => (
          <Beam key={name} name={name} value={value} most={most} />
        ))}
      </dl>
    </section>
  );
}

function Seen() {
  if (rated.value.length === 0) return null;
  return (
    <section aria-labelledby="seen">
      <h2 id="seen">Rated in this tab</h2>
      <ul class="seen">
        {rated.value.slice(0, 12).map(({ card, rating }, k) => (
          <li key={rated.value.length - k}>
            <Poster card={card} />
            <span>{signed(rating, 1)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const App = () => (
  <Shell page="/join" state={<span>This tab is a peer of its own</span>}>
    <div class="join">
      <Easel />
      <div class="told">
        <Status />
        <Company />
        <Why />
        <Belief />
        <Seen />
        {standing.value.kind === "open" && (
          <p class="small quiet">
            What it learns is kept in this browser and is there when you come back. Others in the room get sums of your
            ratings, and can tell from them what you like.{" "}
            <button type="button" class="plain" onClick={forget}>
              <u>Forget everything</u>
            </button>
          </p>
        )}
      </div>
    </div>
  </Shell>
);

addEventListener("keydown", ({ key, target }) => {
  const rating = RATINGS[Number(key) - 1];
  if (rating === undefined || (target instanceof Element && target.closest("input"))) return;
  void rate(rating.value);
});
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
open();
