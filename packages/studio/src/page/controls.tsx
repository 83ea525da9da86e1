import { act } from "./control.ts";
import { cursor, link, moment, timeline } from "./store.ts";
import { token } from "./token.ts";

/** Why nothing can be done to the network just now; null where it can. */
export function hindrance(): string | null {
  if (timeline.value?.header.source === "simulation" || link.value === "ended") return "This is a recording.";
  if (token.value === null) return "Open the address that the demo printed: it has the token that this needs.";
  if (cursor.value !== null) return "This is the past. Go back to live first.";
  return link.value === "live" ? null : "The feed is not live.";
}

/** What can be done to the whole network. */
export function Controls() {
  const why = hindrance();
  const model = moment.value?.model;
  const cut = model !== undefined && model.cut !== null;
  return (
    <fieldset class="tools" aria-label="Do something to the network">
      <button
        type="button"
        disabled={why !== null}
        title={why ?? ""}
        onClick={() => act("add", { count: 5 }, "Five peers come.")}
      >
        Add 5 peers
      </button>
      <button
        type="button"
        disabled={why !== null}
        title={
          why ??
          "Half of every cluster on each side, the hub on one: connections between them are closed, and none is let through"
        }
        onClick={() =>
          cut
            ? act("heal", {}, "The network is whole again.")
            : act("cut", {}, "The network is cut in two: no connection stays between the halves.")
        }
      >
        {cut ? "Heal the cut" : "Cut the network in two"}
      </button>
    </fieldset>
  );
}
