import { notice } from "./store.ts";
import { bearer } from "./token.ts";

export type Action = "add" | "kill" | "cut" | "heal" | "lie" | "truth";

/** Does something to the network, and says what came of it. */
export async function act(action: Action, about: { peer?: number; count?: number }, said: string): Promise<void> {
  try {
    const response = await fetch("/control", {
      method: "POST",
      headers: { "content-type": "application/json", ...bearer() },
      body: JSON.stringify({ action, ...about }),
    });
    if (response.ok) notice.value = said;
    else {
      const { error } = (await response.json()) as { error: string };
      notice.value = `Not done: ${error}.`;
    }
  } catch {
    notice.value = "Not done: the demo does not answer.";
  }
}
