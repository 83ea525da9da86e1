import { render } from "preact";
import { clock, count } from "../model/words.ts";
import { Chart } from "../page/chart.tsx";
import { Shell } from "../page/shell.tsx";
import { Verdicts } from "../page/verdictStrip.tsx";
import { MemberTable, RoomTable } from "./tables.tsx";
import { hubVerdicts, rate } from "./verdicts.ts";
import { banner, looks, watchHub } from "./watch.ts";

const State = () => (
  <>
    <span class={`dot ${banner.value !== null ? "lost" : looks.value.length > 0 ? "live" : ""}`} />
    <span>{banner.value !== null ? "Hub lost" : looks.value.length > 0 ? "Live · a hub" : "Connecting"}</span>
  </>
);

function Curves() {
  const list = looks.value;
  const x = list.map(({ at }) => at);
  const members = list.at(-1)?.overview.members;
  // At the first look there is nothing to compare with.
  const over = (name: "introductions" | "relayedBytes"): (number | null)[] =>
    list.map((_, k) => (k === 0 ? null : rate(list, name, k + 1)));
  return (
    <section class="charts" aria-labelledby="curves">
      <h2 class="hidden" id="curves">
        The last minutes
      </h2>
      <Chart
        title="Peers and connections"
        sentence={members === undefined ? "" : `${count(members, "peer")} told the hub about themselves lately.`}
        curves={[
          { name: "peers", look: 0 },
          { name: "connections", look: 1 },
        ]}
        data={[x, list.map(({ overview }) => overview.members), list.map(({ overview }) => overview.connections)]}
        xFormat={clock}
      />
      <Chart
        title="Relayed, a second"
        sentence="Bytes between peers that cannot dial each other. The hub cannot read them."
        curves={[{ name: "bytes a second", look: 0 }]}
        data={[x, over("relayedBytes")]}
        unit="bytes"
        xFormat={clock}
      />
      <Chart
        title="Introductions a second"
        sentence="Answers to peers that asked who else is in their room."
        curves={[{ name: "introductions", look: 0 }]}
        data={[x, over("introductions")]}
        xFormat={clock}
      />
    </section>
  );
}

/** How to come in: for a peer, and for a tab. */
function Ways() {
  const addresses = looks.value.at(-1)?.overview.addresses ?? [];
  return (
    <section class="panel ways" aria-labelledby="ways">
      <h2 id="ways">How peers come here</h2>
      <p>
        A hub brings peers together and relays where they cannot dial each other. It is no member of any room and learns
        nothing. These addresses are what a peer takes as <code>--bootstrap</code>:
      </p>
      <ul class="addresses">
        {addresses.map((address) => (
          <li key={address}>
            <code>{address}</code>
          </li>
        ))}
      </ul>
      <p>
        A tab can be a peer as well: <a href="/join">join from this browser</a>.
      </p>
    </section>
  );
}

const App = () => (
  <Shell page="/" state={<State />}>
    {banner.value !== null && (
      <div class="banner" role="alert">
        {banner.value}
      </div>
    )}
    {(looks.value.length > 0 || banner.value === null) && <Verdicts list={hubVerdicts(looks.value)} />}
    {(looks.value.length > 0 || banner.value === null) && <Curves />}
    <div class="hub">
      <Ways />
      <RoomTable />
    </div>
    <MemberTable />
  </Shell>
);

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
void watchHub();
