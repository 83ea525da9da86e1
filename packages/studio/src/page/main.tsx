import { options, render } from "preact";
import { Charts } from "./charts.tsx";
import { followFeed } from "./feedClient.ts";
import { NetworkPanel, shown } from "./networkPanel.tsx";
import { Earned, VerdictStrip } from "./overview.tsx";
import { Side } from "./peerPanel.tsx";
import { startPlayer, togglePlay } from "./player.ts";
import { Shell } from "./shell.tsx";
import { banner, cursor, link, moment, notice, timeline } from "./store.ts";
import { PeerTable } from "./table.tsx";
import { Tour, TourButton } from "./tour.tsx";
import { Transport } from "./transport.tsx";

const LINK_TEXT = { connecting: "Connecting", live: "Live", ended: "Recording", lost: "Feed lost" } as const;

function State() {
  const header = timeline.value?.header;
  const past = cursor.value !== null && link.value === "live";
  return (
    <>
      <span class={`dot ${link.value}`} />
      <span>
        {past ? "Live, showing the past" : LINK_TEXT[link.value]}
        {header !== undefined && ` · policy ${header.policy}`}
      </span>
      <TourButton />
    </>
  );
}

function Banner() {
  if (banner.value === null) return null;
  return (
    <div class="banner" role="alert">
      <span>{banner.value}</span>
      <button
        type="button"
        onClick={() => {
          banner.value = null;
        }}
      >
        Dismiss
      </button>
    </div>
  );
}

const App = () => (
  <>
    <Shell page="/" state={<State />}>
      <Banner />
      <div class="board">
        <Earned />
        <VerdictStrip />
        <NetworkPanel />
        <Side />
        <Tour />
      </div>
      <Charts />
      <PeerTable />
    </Shell>
    <Transport />
    <p class="hidden" role="status">
      {notice.value}
    </p>
  </>
);

/** For tests and for who measures; nothing of the page depends on it. */
Object.assign(globalThis, { coterie: { moment, shown } });

addEventListener("keydown", (event) => {
  const { target } = event;
  if (event.key !== " " || !(target instanceof Element) || target.closest("button, input, select, summary, [role=row]"))
    return;
  event.preventDefault();
  togglePlay();
});
// The picture changes at once, words and curves a turn later: with ten thousand peers each takes a while.
options.debounceRendering = (work) => setTimeout(work);
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
startPlayer();
followFeed("/feed");
