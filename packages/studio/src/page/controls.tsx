import { act } from "./control.ts";
import { cursor, link, moment, timeline } from "./store.ts";
import { token } from "./token.ts";

/** Where the page says why nothing can be done: whoever cannot press a button should not have to point at it. */
export const WHY = "why";

/** Why nothing can be done to the network just now; null where it can, or where there is none yet. */
export function hindrance(): string | null {
  if (timeline.value?.header.source === "simulation" || link.value === "ended")
    return "This is a recording: nothing can be done to it.";
  if (token.value === null)
    return "You can only look: to add, kill or cut, open the address that the demo printed. It has the token in it.";
  if (cursor.value !== null) return "This is the past. Go back to live to do something.";
  return link.value === "lost" ? "The feed is not live." : null;
}

/** Whether a button that does something to the network can be pressed. */
export const mayAct = (): boolean => hindrance() === null && link.value === "live";

/** What can be done to the whole network. */
export function Controls() {
  const why = hindrance();
  const model = moment.value?.model;
  const cut = model !== undefined && model.cut !== null;
  return (
    <fieldset class="tools" aria-label="Do something to the network">
      <button
        type="button"
        disabled={!mayAct()}
        aria-describedby={why === null ? undefined : WHY}
        onClick={() => act("add", { count: 5 }, "Five peers come.")}
      >
        Add 5 peers
      </button>
      <button
        type="button"
        disabled={!mayAct()}
        aria-describedby={why === null ? undefined : WHY}
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
