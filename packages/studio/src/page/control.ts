import { signal } from "@preact/signals";
import { notice } from "./store.ts";

export type Action = "add" | "kill" | "cut" | "heal" | "lie" | "truth";

const KEY = "coterie token";

/** The token came in the address; it is kept for this tab alone and taken out of sight. */
export const token = signal<string | null>(takeToken());

function takeToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? sessionStorage.getItem(KEY);
}

/** Does something to the network, and says what came of it. */
export async function act(action: Action, about: { peer?: number; count?: number }, said: string): Promise<void> {
  try {
    const response = await fetch("/control", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token.value ?? ""}` },
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
