import { signal } from "@preact/signals";
import { ask, RefusedRequest } from "../page/token.ts";

/** What a hub says of itself at `/rooms`. */
export interface Overview {
  readonly self: string;
  readonly addresses: readonly string[];
  readonly rooms: readonly { readonly name: string | null; readonly digest: string; readonly members: number }[];
  readonly members: number;
  readonly connections: number;
  readonly reservations: number;
  readonly circuits: number;
  readonly relayedBytes: number;
  readonly introductions: number;
  readonly violations: Readonly<Record<string, number>>;
  /** Those refused because a limit is reached, by limit. */
  readonly overloads?: Readonly<Record<string, number>>;
}

/** And of those who are there, at `/members`. */
export interface HubGuest {
  readonly peer: string;
  readonly room: string;
  readonly addresses: readonly string[];
  readonly silentMs: number;
}

/** The hub at one moment, in seconds since the page was opened. */
export interface HubSample {
  readonly at: number;
  readonly overview: Overview;
}

export const looks = signal<readonly HubSample[]>([]);
export const members = signal<readonly HubGuest[]>([]);
/** What is wrong, in words; null where nothing is. */
export const banner = signal<string | null>(null);

const LOOK_MS = 1000;
/** Ten minutes. */
const MOST_LOOKS = 600;

/** Looks at the hub once a second, for as long as the page is there. */
export async function watchHub(): Promise<never> {
  for (;;) {
    try {
      const [overview, there] = await Promise.all([ask<Overview>("/rooms"), ask<{ members: HubGuest[] }>("/members")]);
      members.value = there.members;
      looks.value = [...looks.value, { at: performance.now() / 1000, overview }].slice(-MOST_LOOKS);
      banner.value = null;
    } catch (error) {
      banner.value = explain(error);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function explain(error: unknown): string {
  if (!(error instanceof RefusedRequest))
    return "The hub does not answer. What was seen so far stays; trying again every second.";
  if (error.status !== 401) return `The hub refuses: ${error.message}.`;
  return "The hub asks for its token. Open this page with #token= and the token at the end of its address.";
}
